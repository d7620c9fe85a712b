// Declared namespaces in declared namespaces.
// expect: exception SyntaxError

result = "declare namespace A {".repeat(40_000) + "}".repeat(40_000);
