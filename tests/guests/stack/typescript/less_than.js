// Nothing but angle brackets. Ends in SyntaxError.
result = "<".repeat(100_000);
