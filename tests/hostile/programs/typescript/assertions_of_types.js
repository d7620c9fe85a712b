// A value whose type is asserted again and again.
// expect: value or exception SyntaxError

result = "const a = 1" + " as any".repeat(100_000);
