// A value that is asserted to be there seven thousand times, beside an `enum`.
// expect: value or exception SyntaxError

result = "enum A { B }\nlet a = A.B" + "!".repeat(7_000) + "; 1";
