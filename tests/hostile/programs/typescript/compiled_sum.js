// A sum of a hundred thousand numbers beside an `enum`.
// expect: value or exception SyntaxError or exception RangeError or exception InternalError or stack or crash

result = "enum A { B }\nlet a = 0" + " + 1".repeat(100_000) + "; a";
