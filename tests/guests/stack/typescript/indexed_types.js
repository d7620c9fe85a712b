// Types of members of members. Ends in a value or SyntaxError.
result = "type A = B" + '[0]'.repeat(100_000);
