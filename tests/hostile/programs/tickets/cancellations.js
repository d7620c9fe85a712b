// Ten thousand calls that are cancelled at once, and a call after them.
// expect: contained

for (let value = 0; value < 10000; value++) {
  const controller = new AbortController();
  call_tool_async("echo", { value }, { signal: controller.signal }).catch(() => {});
  controller.abort();
}
const last = await call_tool_async("echo", { value: 1 });
result = last.value === 1 ? "contained" : "a cancelled call was counted";
