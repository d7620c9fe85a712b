// Calls that are given up: by a time, after an error, and by the program.
const log = [];
await call_tool_async("stuck", {}, { signal: AbortSignal.timeout(50) }).catch((error) => log.push(error.name));
const group = new AbortController();
await Promise.all([
  call_tool_async("stuck", {}, { signal: group.signal }),
  call_tool_async("fail", { name: "x" }),
]).catch((error) => {
  group.abort();
  log.push(error.kind);
});
const own = new AbortController();
const call = call_tool_async("stuck", {}, { signal: own.signal });
await new Promise((resolve) => setTimeout(resolve, 10));
own.abort(new Error("cancelled"));
await call.catch((error) => log.push(error.message));
result = log;
