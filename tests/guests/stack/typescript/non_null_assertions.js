// A value that is asserted to be there again and again. Ends in a value or SyntaxError.
result = "const a = 1; a" + "!".repeat(100_000);
