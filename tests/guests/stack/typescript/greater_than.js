// Nothing but angle brackets that close. Ends in SyntaxError.
result = ">".repeat(100_000);
