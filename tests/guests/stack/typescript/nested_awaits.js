// A hundred thousand awaits. Ends in SyntaxError.
result = "await ".repeat(100_000) + "1";
