// As many arguments as fit into memory.
// expect: contained

try {
  call_tool('typed', Object.fromEntries(Array.from({ length: 100_000 }, (_, number) => [`key${number}`, number])));
  result = 'accepted';
} catch {
  result = 'contained';
}
