// Functions in functions. Ends in SyntaxError.
result = "function f() {".repeat(50_000) + "}".repeat(50_000);
