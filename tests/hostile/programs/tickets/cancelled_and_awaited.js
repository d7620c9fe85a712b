// Calls that are cancelled before, while and after they are awaited.
// expect: contained

const log = [];
const start = (value, signal) => call_tool_async("echo", { value }, { signal });
const outcome = (call) => call.then(({ value }) => value, (error) => error.name);
log.push(await outcome(start(1, AbortSignal.abort())));
const controller = new AbortController();
const call = start(2, controller.signal);
controller.abort();
controller.abort();
log.push(await outcome(call), await outcome(call));
const late = new AbortController();
const complete = start(3, late.signal);
log.push(await outcome(complete));
late.abort();
log.push(await outcome(complete));
result = `${log}` === "AbortError,AbortError,AbortError,3,3" ? "contained" : log;
