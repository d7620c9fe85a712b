// Arrow functions with types, each returning the next.
// expect: exception SyntaxError

result = "const f = " + "(a: A): B => ".repeat(50_000) + "1";
