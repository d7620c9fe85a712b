// A hundred thousand blocks that nobody closes. Ends in SyntaxError.
result = "{".repeat(100_000);
