// Conditional types, each the first branch of another.
// expect: exception SyntaxError

result = "type A = " + "B extends C ? ".repeat(50_000) + "D" + " : E".repeat(50_000);
