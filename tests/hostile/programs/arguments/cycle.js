// A value that contains itself.
// expect: contained

const value = [];
value.push(value);
try {
  call_tool('echo', { value });
  result = 'accepted';
} catch {
  result = 'contained';
}
