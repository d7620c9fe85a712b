// A chain of a hundred thousand members. Ends in TypeError or SyntaxError.
result = "const a: any = 1; a" + ".a".repeat(100_000);
