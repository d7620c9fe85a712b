// A regular expression that never ends.
// expect: exception SyntaxError

result = "const a: RegExp = /[" + "a".repeat(100_000);
