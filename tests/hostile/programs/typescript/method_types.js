// Types of methods that take objects with methods.
// expect: exception SyntaxError

result = "type A = " + "{ a(b: ".repeat(50_000) + "C" + "): void }".repeat(50_000);
