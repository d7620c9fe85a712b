// Passes integers through a tool in every way that calls can take. `integers` are their digits.

async function outcome(call) {
  try {
    return String(await call());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

const found = [];
for (const digits of integers) {
  const n = BigInt(digits);
  found.push({
    digits,
    call: await outcome(() => call_tool("echo", { value: n })),
    positional: await outcome(async () => (await tools.call("echo", { value: [n] }))[0]),
    nested: await outcome(async () => (await call_tool("echo", { value: { list: [1, { "a b": n }] } })).list[1]["a b"]),
    tools: await outcome(() => tools.echo({ value: n })),
    async: await outcome(() => call_tool_async("echo", { value: n })),
    text: await outcome(() => call_tool("echo", { value: digits })),
  });
}
found;
