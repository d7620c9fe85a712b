// Two sources are asked for the same; the faster one is used, and the call of the other one is cancelled.
const controller = new AbortController();
const { signal } = controller;
const calls = ["archive", "mirror"].map((source) => call_tool_async("sources.ask", { source, query: "budget" }, { signal }));
const answer = await Promise.race(calls);
controller.abort();
const outcomes = await Promise.allSettled(calls);
await call_tool_async("log.write", { line: answer.source });
result = [answer.source, outcomes.map(({ reason }) => reason?.name === "AbortError")];
