// As many namespaces in namespaces as there may be.
// expect: value

result = "namespace A {".repeat(390) + "export const a = 1;" + "}".repeat(390) + " 1";
