// A string of a million letters.
// expect: value

result = 'const a: string = "' + "a".repeat(1_000_000) + '"';
