// Calls that fail beside others.
const log = [];
const outcomes = await Promise.allSettled([
  call_tool_async("fail", { name: "a" }),
  call_tool_async("meet", { of: 2, name: "b" }),
  call_tool_async("absent"),
  call_tool_async("panic"),
  call_tool_async("meet", { of: 2, name: "c" }),
]);
log.push(outcomes.map((one) => one.reason?.kind ?? one.value));
const giveUp = new AbortController();
try {
  await Promise.all([
    call_tool_async("stuck", {}, { signal: giveUp.signal }).catch(() => {}),
    call_tool_async("fail", { name: "d" }),
  ]);
} catch (error) {
  log.push(error.message);
}
giveUp.abort();
result = log;
