// Parentheses that may be parameters, and are never closed. Ends in SyntaxError.
result = "(a = (".repeat(100_000);
