// Imported types with imported arguments.
// expect: exception SyntaxError

result = "type A = " + 'import("a").B<'.repeat(40_000) + "C" + ">".repeat(40_000);
