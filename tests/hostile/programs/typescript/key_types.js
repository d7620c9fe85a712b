// Keys of keys of keys.
// expect: exception SyntaxError

result = "type A = " + "keyof ".repeat(100_000) + "B";
