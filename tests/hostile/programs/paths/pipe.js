// Opens a pipe without a writer.
// expect: contained

const fs = await import('fs');
try {
  fs.readFileSync('/input/pipe');
  result = 'read';
} catch {
  result = 'contained';
}
