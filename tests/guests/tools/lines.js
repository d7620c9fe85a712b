// Each call names the line that it is on.
function nested() {
  return call_tool("at", { line: 3 });
}

async function awaited() {
  return await call_tool_async("at", { line: 7 });
}

call_tool("at", { line: 10 });
nested();
for (let n = 0; n < 2; n++) {
  tools.at({ line: 13 });
}
await call_tool_async("at", { line: 15 });
await Promise.all([awaited(), awaited()]);
await tools.at.start({ line: 17 });
[1].map(() => call_tool("at", { line: 18 }));
[
  1,
  call_tool("at", { line: 21 }),
];
await fetch("https://example.com/23").catch(() => undefined);
try {
  http_get("https://example.com/25");
} catch {}
