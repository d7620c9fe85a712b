// Calls that are made while the program ends: at its exit, by finalisers, and in `finally`.
// expect: contained

const start = (value) => {
  for (let count = 0; count < 100; count++) tools.echo.start({ value }).catch(() => {});
};
const registry = new FinalizationRegistry(start);
registry.register({}, "finaliser");
process.on("exit", () => start("exit"));
try {
  result = "contained";
} finally {
  start("finally");
}
