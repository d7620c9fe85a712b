// Types of functions that take functions.
// expect: exception SyntaxError

result = "let a: " + "(a: ".repeat(50_000) + "A" + ") => void".repeat(50_000);
