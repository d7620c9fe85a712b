// Imported types with imported arguments. Ends in SyntaxError.
result = "type A = " + 'import("a").B<'.repeat(40_000) + "C" + ">".repeat(40_000);
