// Keys of keys of keys. Ends in SyntaxError.
result = "type A = " + "keyof ".repeat(100_000) + "B";
