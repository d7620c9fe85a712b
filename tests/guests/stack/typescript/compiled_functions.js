// Four hundred functions in functions beside an `enum`. Ends in a value.
result = "enum A { B }\n" + "function f() {".repeat(400) + "}".repeat(400) + " 1";
