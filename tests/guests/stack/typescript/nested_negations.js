// A hundred thousand negations. Ends in SyntaxError.
result = "!".repeat(100_000) + "1";
