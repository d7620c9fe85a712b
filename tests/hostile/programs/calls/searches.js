// Searches for tools without end.
// expect: timeout or host call rate or cpu time or exception *

for (;;) {
  try {
    search_tools('x'.repeat(1_000));
  } catch {}
}
