// Asynchronous arrow functions that return their like.
// expect: exception SyntaxError

result = "const f = " + "async () => ".repeat(50_000) + "1";
