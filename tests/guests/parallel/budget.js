// Four calls where two are allowed.
const calls = ["a", "b", "c", "d"].map((name) => call_tool_async("meet", { of: 2, name }));
result = (await Promise.allSettled(calls)).map((one) => one.value ?? one.reason.kind);
