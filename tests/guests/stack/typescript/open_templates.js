// Templates in templates, and none of them ends. Ends in SyntaxError.
result = '`${'.repeat(100_000);
