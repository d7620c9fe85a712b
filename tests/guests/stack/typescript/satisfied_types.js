// A value that satisfies a type again and again. Ends in a value or SyntaxError.
result = "const a = 1" + " satisfies any".repeat(60_000);
