// A constant of five thousand numbers beside an `enum`.
// expect: value

result = "enum A { B }\nconst a = 0" + " + 1".repeat(5_000) + "; a";
