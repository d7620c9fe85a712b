// Arrow functions in the defaults of their parameters.
// expect: exception SyntaxError

result = "const f = " + "(a = ".repeat(100_000) + "1" + ") => 1".repeat(50_000);
