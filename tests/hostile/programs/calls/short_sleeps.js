// The shortest of sleeps, without end.
// expect: timeout or sleep or host call rate

for (;;) await new Promise((resolve) => setTimeout(resolve, 0));
