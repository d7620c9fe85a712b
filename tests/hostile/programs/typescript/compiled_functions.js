// Seven hundred and ninety functions in functions beside an `enum`.
// expect: value

result = "enum A { B }\n" + "function f() {".repeat(790) + "}".repeat(790) + " 1";
