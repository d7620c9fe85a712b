// Mapped types of mapped types.
// expect: exception SyntaxError

result = "type A = " + "{ [K in ".repeat(50_000) + "B" + "]: K }".repeat(50_000);
