// Types of functions that return functions. Ends in SyntaxError.
result = "let a: " + "() => ".repeat(100_000) + "void";
