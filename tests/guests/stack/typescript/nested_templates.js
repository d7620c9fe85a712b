// Templates in templates. Ends in SyntaxError.
result = '`${'.repeat(100_000) + "1" + '}`'.repeat(100_000);
