// An intersection of a hundred thousand types.
// expect: value or exception SyntaxError

result = "type A = " + "B & ".repeat(100_000) + "C";
