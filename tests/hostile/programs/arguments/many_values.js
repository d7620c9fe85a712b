// Values that are short as text and long in memory.
// expect: contained

const numbers = new Array(1000).fill(0);
try {
  call_tool('typed', { value: new Array(1000).fill(numbers) });
  result = 'accepted';
} catch {
  result = 'contained';
}
