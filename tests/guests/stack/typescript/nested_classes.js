// Classes in the fields of classes. Ends in SyntaxError.
result = "class A { a = ".repeat(50_000) + "1" + "}".repeat(50_000);
