// A loop that no statement shows.
// expect: timeout

for (const _ of (function* () { for (;;) yield; })());
