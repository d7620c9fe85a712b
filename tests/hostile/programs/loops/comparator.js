// A comparison that native sorting waits for.
// expect: timeout

[2, 1].sort(() => { for (;;); });
