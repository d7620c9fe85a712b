// Ways to leave that nobody foresaw.
// expect: exit 7 or crash

try {
  process.exit(7);
} finally {
  process.exit(7);
}
