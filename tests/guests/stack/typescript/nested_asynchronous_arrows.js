// Asynchronous arrow functions that return their like. Ends in SyntaxError.
result = "const f = " + "async () => ".repeat(50_000) + "1";
