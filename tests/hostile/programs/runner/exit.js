// Unusual ways to exit.
// expect: exit 7 or crash

try {
  process.exit(7);
} finally {
  process.exit(7);
}
