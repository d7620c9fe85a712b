// Four calls of a function that blocks its thread until all four are there.
result = await Promise.all(["a", "b", "c", "d"].map((name) => call_tool_async("meet_blocking", { name })));
