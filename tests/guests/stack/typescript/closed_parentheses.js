// A hundred thousand parentheses that nobody opened. Ends in SyntaxError.
result = ")".repeat(100_000);
