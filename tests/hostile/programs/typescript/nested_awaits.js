// A hundred thousand awaits.
// expect: exception SyntaxError

result = "await ".repeat(100_000) + "1";
