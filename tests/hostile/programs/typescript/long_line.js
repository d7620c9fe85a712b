// A line of thirty thousand statements.
// expect: value

result = "{ const a: number = 1; } ".repeat(30_000);
