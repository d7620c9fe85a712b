// An intersection of a hundred thousand types. Ends in a value or SyntaxError.
result = "type A = " + "B & ".repeat(100_000) + "C";
