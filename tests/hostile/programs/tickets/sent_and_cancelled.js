// Calls that are sent to the host in many groups, and cancelled when they may be complete.
// expect: contained

for (let group = 0; group < 200; group++) {
  const controller = new AbortController();
  const { signal } = controller;
  for (let value = 0; value < 50; value++) call_tool_async("echo", { value }, { signal }).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 0));
  controller.abort();
}
result = "contained";
