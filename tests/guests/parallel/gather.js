// Eight calls that meet in the host, and results in the order of the program.
const calls = [];
for (let number = 0; number < 8; number++) calls.push(call_tool_async("meet", { of: 8, name: `${number}` }));
result = await Promise.all(calls);
