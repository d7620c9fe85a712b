// Nothing but dots. Ends in SyntaxError.
result = ".".repeat(100_000);
