// As many conditions as there may be, beside an `enum`.
// expect: value

result = "enum A { B }\nconst a = " + "A.B ? 2 : ".repeat(390) + "3; 1";
