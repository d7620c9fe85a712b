// A value that is asserted to be there seven thousand times, beside an `enum`. Ends in a value or SyntaxError.
result = "enum A { B }\nlet a = A.B" + "!".repeat(7_000) + "; 1";
