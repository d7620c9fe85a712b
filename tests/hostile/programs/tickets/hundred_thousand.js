// A hundred thousand calls that are awaited together, of which fifty are allowed.
// expect: contained or memory or host call rate or exception InternalError

const calls = Array.from({ length: 100000 }, (_, value) => call_tool_async("echo", { value }));
const outcomes = await Promise.allSettled(calls);
const made = outcomes.filter(({ status }) => status === "fulfilled").length;
result = made === 50 && outcomes.length === 100000 ? "contained" : "another number of calls was made";
