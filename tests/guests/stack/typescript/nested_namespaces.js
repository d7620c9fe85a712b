// Declared namespaces in declared namespaces. Ends in SyntaxError.
result = "declare namespace A {".repeat(40_000) + "}".repeat(40_000);
