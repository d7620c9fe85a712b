// A sum of a hundred thousand numbers. Ends in a value or SyntaxError or RangeError or InternalError.
result = "const a: number = 0" + " + 1".repeat(100_000) + "; a";
