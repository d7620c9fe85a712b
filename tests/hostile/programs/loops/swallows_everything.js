// A loop that catches every exception that would end it.
// expect: timeout

for (;;) {
  try {
    for (;;);
  } catch {
    continue;
  }
}
