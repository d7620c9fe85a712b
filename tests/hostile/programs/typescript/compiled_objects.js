// As many objects in objects as there may be, beside an `enum`.
// expect: value

result = "enum A { B }\nconst a = " + "{ a: ".repeat(390) + "1" + "}".repeat(390) + "; 1";
