// As many negations as there may be, beside an `enum`.
// expect: value

result = "enum A { B }\nconst a = " + "!".repeat(790) + "1; 1";
