// A hundred thousand parentheses that nobody closes. Ends in SyntaxError.
result = "(".repeat(100_000);
