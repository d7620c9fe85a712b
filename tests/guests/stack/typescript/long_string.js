// A string of a million letters. Ends in a value.
result = 'const a: string = "' + "a".repeat(1_000_000) + '"';
