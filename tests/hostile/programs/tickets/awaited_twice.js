// Calls that are awaited twice, one after the other and at the same time.
// expect: contained

const call = tools.echo.start({ value: 1 });
const [first, second] = [await call, await call];
const other = tools.echo.start({ value: 2 });
const both = await Promise.all([other, other]);
const log = [first === second, first.value === 1, both[0] === both[1], both[0].value === 2];
result = log.every(Boolean) ? "contained" : log;
