// Calls tools in every way that fails and says what a program gets to see of it.
const attempts = {
  unknown: () => call_tool("no_such_tool"),
  missing: () => call_tool("describe", { name: "x" }),
  wrong_type: () => call_tool("describe", { name: "x", size: "large" }),
  wrong_choice: () => call_tool("describe", { name: "x", size: 1, colour: "purple" }),
  nested: () => call_tool("describe", { name: "x", size: 1, tags: ["a", 2] }),
  failed: () => call_tool("fail"),
  panicked: () => call_tool("panic"),
  panicked_later: () => call_tool("panic_later"),
};
result = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    result[name] = ["returned", attempt()];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    result[name] = [error.kind, error.message];
  }
}
