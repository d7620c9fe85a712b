// Listeners of the exit that make calls and wait for them, without end.
// expect: value or timeout or memory or host call rate or exit *

const again = async () => {
  for (;;) await tools.echo.start({ value: 1 }).catch(() => {});
};
process.on("exit", again);
process.on("beforeExit", again);
result = 1;
