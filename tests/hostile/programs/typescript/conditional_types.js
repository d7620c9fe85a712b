// Conditional types, each the last branch of another.
// expect: exception SyntaxError

result = "type A = " + "B extends C ? D : ".repeat(50_000) + "E";
