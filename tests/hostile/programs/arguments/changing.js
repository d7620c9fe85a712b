// An argument that is another one each time that it is looked at.
// expect: contained

let count = 0;
try {
  call_tool('typed', { get city() { return count++ ? 'x' : 1; } });
} catch {}
result = 'contained';
