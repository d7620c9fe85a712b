// A sum of a hundred thousand numbers.
// expect: value or exception SyntaxError or exception RangeError or exception InternalError

result = "const a: number = 0" + " + 1".repeat(100_000) + "; a";
