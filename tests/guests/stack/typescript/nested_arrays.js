// An array a hundred thousand deep. Ends in SyntaxError.
result = "const a: any = " + "[".repeat(100_000) + "]".repeat(100_000);
