// A hundred thousand assignments at once.
// expect: exception SyntaxError

result = "let a: number; " + "a = ".repeat(100_000) + "1";
