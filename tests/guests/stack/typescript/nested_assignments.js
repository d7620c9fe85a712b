// A hundred thousand assignments at once. Ends in SyntaxError.
result = "let a: number; " + "a = ".repeat(100_000) + "1";
