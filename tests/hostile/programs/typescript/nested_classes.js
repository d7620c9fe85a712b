// Classes in the fields of classes.
// expect: exception SyntaxError

result = "class A { a = ".repeat(50_000) + "1" + "}".repeat(50_000);
