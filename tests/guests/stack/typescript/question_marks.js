// Nothing but question marks. Ends in SyntaxError.
result = "?".repeat(100_000);
