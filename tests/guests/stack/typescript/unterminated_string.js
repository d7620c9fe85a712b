// A string that never ends. Ends in SyntaxError.
result = 'const a: string = "' + "a".repeat(1_000_000);
