// As many classes in classes as there may be, beside an `enum`.
// expect: value

result = "enum A { B }\n" + "class C { a = " + "class { a = ".repeat(380) + "1" + "}".repeat(381) + "; 1";
