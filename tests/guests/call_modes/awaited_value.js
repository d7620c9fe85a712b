// Nothing in the text says that this is a call.
for (const [name, call] of Object.entries({ meet: tools.meet })) call({ of: 1, name }).then(console.log);
