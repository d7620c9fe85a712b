// Twelve calls, of which the host performs four at a time.
const calls = [];
for (let number = 0; number < 12; number++) calls.push(call_tool_async("meet", { of: 4, name: `${number}` }));
result = await Promise.all(calls);
