// Inferred types that are inferred from others.
// expect: exception SyntaxError

result = "type A = " + "B extends (infer C extends ".repeat(20_000) + "D" + ") ? 1 : 2".repeat(20_000);
