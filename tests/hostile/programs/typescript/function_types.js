// Types of functions that return functions.
// expect: exception SyntaxError

result = "let a: " + "() => ".repeat(100_000) + "void";
