// Types of objects in types of objects.
// expect: exception SyntaxError

result = "let a: " + "{ a: ".repeat(100_000) + "number" + "}".repeat(100_000);
