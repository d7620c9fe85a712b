// Text that no encoding of Unicode can carry.
// expect: contained

try {
  call_tool('echo', { value: '\ud800' });
  call_tool('\udfff', { value: 1 });
} catch {}
result = 'contained';
