// A hundred thousand branches.
// expect: exception SyntaxError

result = "if (0) 1; else ".repeat(50_000) + "1";
