// An error at the end of a line of a hundred thousand statements.
// expect: exception SyntaxError

result = "1;".repeat(100_000) + "let a: = 1";
