// Functions in functions.
// expect: exception SyntaxError

result = "function f() {".repeat(50_000) + "}".repeat(50_000);
