// As many functions in functions as there may be, beside an `enum`.
// expect: value

result = "enum A { B }\nconst f = " + "() => ".repeat(780) + "1; 1";
