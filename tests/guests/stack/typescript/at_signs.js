// Nothing but at signs. Ends in SyntaxError.
result = "@".repeat(100_000);
