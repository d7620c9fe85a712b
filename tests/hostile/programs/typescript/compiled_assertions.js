// A value whose type is asserted seven thousand times, beside an `enum`.
// expect: value

result = "enum A { B }\nlet a = 1" + " as any".repeat(7_000) + "; 1";
