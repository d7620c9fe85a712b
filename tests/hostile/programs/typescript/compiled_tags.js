// A tag with seven thousand templates beside an `enum`.
// expect: value

result = "enum A { B }\nlet a: any = () => a; a" + "``".repeat(7_000) + "; 1";
