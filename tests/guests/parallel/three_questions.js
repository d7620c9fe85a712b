// Three calls that are asked about at the same time.
const outcomes = await Promise.allSettled(["ann", "bob", "cat"].map((to) => call_tool_async("send", { to })));
result = outcomes.map((one) => one.value ?? one.reason.message);
