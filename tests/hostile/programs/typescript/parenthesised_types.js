// A type in a hundred thousand pairs of parentheses.
// expect: exception SyntaxError

result = "let a: " + "(".repeat(100_000) + "number" + ")".repeat(100_000);
