// The last expression is a call that is not awaited.
await tools.meet({ of: 1, name: "a" });
tools.meet({ of: 1, name: "b" });
