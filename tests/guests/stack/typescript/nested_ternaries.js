// A hundred thousand conditions. Ends in SyntaxError.
result = "1 ? 2 : ".repeat(100_000) + "3";
