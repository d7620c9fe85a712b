// Half of a character, again and again. Ends in SyntaxError.
result = "\ud800".repeat(100_000);
