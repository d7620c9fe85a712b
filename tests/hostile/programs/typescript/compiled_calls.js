// A chain of thirty-five hundred calls beside an `enum`.
// expect: value

result = "enum A { B }\nlet a: any = { b() { return this; } }; a" + ".b()".repeat(3_500) + "; 1";
