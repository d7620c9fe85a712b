// Arguments nested by the thousand.
// expect: contained

let value = [];
for (let depth = 0; depth < 100_000; depth++) value = [value];
try {
  call_tool('echo', { value });
  result = 'accepted';
} catch {
  result = 'contained';
}
