// Looks at the clock without end.
// expect: timeout or host call rate or cpu time

for (;;) Date.now();
