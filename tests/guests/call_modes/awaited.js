// Calls of tools that are awaited, in the ways that programs are written.
const { meet: met } = tools;
const log = [];
log.push(await Promise.all([tools.meet({ of: 2, name: "a" }), tools.meet({ of: 2, name: "b" })]));
log.push(await Promise.all([..."cde"].map((name) => tools.meet({ of: 3, name }))));
log.push(await Promise.all([..."fghi"].map(async (name) => await met({ of: 4, name }))));
const calls = [];
for (const name of "jklmn") calls.push(tools.meet({ of: 5, name }));
log.push((await Promise.allSettled(calls)).map(({ value }) => value));
const names = [];
for await (const name of [..."opqrst"].map((name) => met({ of: 6, name }))) names.push(name);
log.push(names);
await tools.fail({ name: "u" }).catch((error) => log.push(error.message));
log.push(await call_tool("meet", { of: 1, name: "synchronous" }));
result = log;
