// Arrow functions that return arrow functions.
// expect: exception SyntaxError

result = "const f = " + "() => ".repeat(100_000) + "1";
