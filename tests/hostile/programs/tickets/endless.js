// Calls without end that the program never waits for.
// expect: timeout or memory or host call rate or exception InternalError

for (;;) tools.echo.start({ value: 1 }).catch(() => {});
