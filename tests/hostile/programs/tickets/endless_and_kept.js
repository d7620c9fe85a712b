// Calls without end with long arguments, all of which the program keeps.
// expect: timeout or memory or host call rate

const calls = [];
for (;;) {
  const call = tools.echo.start({ value: "x".repeat(10000) });
  call.catch(() => {});
  calls.push(call);
}
