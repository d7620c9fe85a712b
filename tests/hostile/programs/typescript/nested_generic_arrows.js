// Generic arrow functions that return generic arrow functions.
// expect: exception SyntaxError

result = "const f = " + "<T,>() => ".repeat(50_000) + "1";
