// A chain of seven thousand members beside an `enum`.
// expect: value

result = "enum A { B }\nlet a: any = {}; a.a = a; a" + ".a".repeat(7_000) + "; 1";
