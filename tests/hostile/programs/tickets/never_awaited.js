// A thousand calls that the program never awaits.
// expect: contained

const calls = Array.from({ length: 1000 }, (_, value) => tools.echo.start({ value }));
for (const call of calls) call.catch(() => {});
result = "contained";
