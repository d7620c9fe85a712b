// A pipe that nobody writes to.
// expect: contained

const fs = await import('fs');
try {
  fs.readFileSync('/input/pipe');
  result = 'read';
} catch {
  result = 'contained';
}
