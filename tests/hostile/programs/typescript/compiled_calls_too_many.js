// A chain of fifty thousand calls beside an `enum`.
// expect: exception SyntaxError

result = "enum A { B }\nlet a: any = { b() { return this; } }; a" + ".b()".repeat(50_000);
