// Types of templates of templates. Ends in SyntaxError.
result = "type A = " + '`${'.repeat(100_000) + "B" + '}`'.repeat(100_000);
