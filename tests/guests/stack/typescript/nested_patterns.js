// A pattern a hundred thousand deep. Ends in SyntaxError.
result = "const " + "[".repeat(100_000) + "a" + "]".repeat(100_000) + ": any = []";
