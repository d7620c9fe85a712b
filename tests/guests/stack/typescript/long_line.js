// A line of thirty thousand statements. Ends in a value.
result = "{ const a: number = 1; } ".repeat(30_000);
