// Nothing but backslashes. Ends in SyntaxError.
result = "\\".repeat(100_000);
