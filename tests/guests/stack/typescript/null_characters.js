// Nothing but null characters. Ends in SyntaxError.
result = "\0".repeat(100_000);
