// A hundred thousand powers of powers. Ends in SyntaxError.
result = "1 ** ".repeat(100_000) + "1";
