// An expression in a hundred thousand pairs of parentheses.
// expect: exception SyntaxError

result = "(".repeat(100_000) + "1" + ")".repeat(100_000);
