// A template that never ends. Ends in SyntaxError.
result = "const a: string = `" + "a\n".repeat(100_000);
