// A hundred thousand blocks, one in the other. Ends in SyntaxError.
result = "{".repeat(100_000) + "}".repeat(100_000);
