// A decorator in a hundred thousand pairs of parentheses.
// expect: exception SyntaxError

result = "@(" + "(".repeat(100_000) + "a" + ")".repeat(100_000) + ") class A {}";
