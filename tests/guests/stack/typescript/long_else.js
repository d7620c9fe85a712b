// A hundred thousand branches. Ends in SyntaxError.
result = "if (0) 1; else ".repeat(50_000) + "1";
