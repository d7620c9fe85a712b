// A hundred thousand braces that nobody opened. Ends in SyntaxError.
result = "}".repeat(100_000);
