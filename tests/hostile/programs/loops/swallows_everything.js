// A loop that catches whatever would end it.
// expect: timeout

for (;;) {
  try {
    for (;;);
  } catch {
    continue;
  }
}
