// Templates that tag templates.
// expect: exception TypeError or crash

result = "``".repeat(100_000);
