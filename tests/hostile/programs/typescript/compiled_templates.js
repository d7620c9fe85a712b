// As many templates in templates as there may be, beside an `enum`.
// expect: value

result = "enum A { B }\nconst a = " + "`${".repeat(780) + "1" + "}`".repeat(780) + "; 1";
