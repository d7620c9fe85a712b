// Second type arguments of second type arguments.
// expect: exception SyntaxError

result = "type A = " + "Map<K, ".repeat(100_000) + "V" + ">".repeat(100_000);
