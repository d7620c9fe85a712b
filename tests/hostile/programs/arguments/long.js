// An argument longer than the host keeps.
// expect: contained or memory or exception *

try {
  call_tool('echo', { value: 'x'.repeat(12_000_000) });
  result = 'accepted';
} catch {
  result = 'contained';
}
