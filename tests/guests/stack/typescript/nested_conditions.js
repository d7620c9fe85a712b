// A hundred thousand conditions, one behind the other. Ends in SyntaxError.
result = "if (1) ".repeat(100_000) + "1";
