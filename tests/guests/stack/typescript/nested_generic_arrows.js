// Generic arrow functions that return generic arrow functions. Ends in SyntaxError.
result = "const f = " + "<T,>() => ".repeat(50_000) + "1";
