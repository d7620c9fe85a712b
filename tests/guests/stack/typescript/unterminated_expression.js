// A regular expression that never ends. Ends in SyntaxError.
result = "const a: RegExp = /[" + "a".repeat(100_000);
