// A union of a hundred thousand types.
// expect: value or exception SyntaxError

result = "type A = " + Array.from({ length: 100_000 }, (_, index) => index).join(" | ");
