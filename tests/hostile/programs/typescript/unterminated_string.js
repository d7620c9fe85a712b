// A string that never ends.
// expect: exception SyntaxError

result = 'const a: string = "' + "a".repeat(1_000_000);
