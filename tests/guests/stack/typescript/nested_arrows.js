// Arrow functions that return arrow functions. Ends in SyntaxError.
result = "const f = " + "() => ".repeat(100_000) + "1";
