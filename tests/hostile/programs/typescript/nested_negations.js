// A hundred thousand negations.
// expect: exception SyntaxError

result = "!".repeat(100_000) + "1";
