// A loop where others clean up.
// expect: timeout

try {
  throw new Error('x');
} finally {
  for (;;);
}
