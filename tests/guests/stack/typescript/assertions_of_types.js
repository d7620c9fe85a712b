// A value whose type is asserted again and again. Ends in a value or SyntaxError.
result = "const a = 1" + " as any".repeat(100_000);
