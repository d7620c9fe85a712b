// A union of a hundred thousand types. Ends in a value or SyntaxError.
result = "type A = " + Array.from({ length: 100_000 }, (_, index) => index).join(" | ");
