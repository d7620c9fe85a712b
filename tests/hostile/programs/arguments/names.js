// Names of tools that do not exist.
// expect: contained

const names = ['', 'x'.repeat(1_000_000), '../echo', 'echo\x00', 'ECHO', '\u0435cho', '__proto__', 'tools.call'];
const found = names.filter((name) => {
  try {
    call_tool(name, { value: 1 });
    return true;
  } catch {
    return false;
  }
});
result = found.length === 0 ? 'contained' : found.map((name) => name.slice(0, 20));
