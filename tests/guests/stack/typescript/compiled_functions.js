// As many functions in functions as there may be, beside an `enum`. Ends in a value.
result = "enum A { B }\n" + "function f() {".repeat(790) + "}".repeat(790) + " 1";
