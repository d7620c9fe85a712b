// An object a hundred thousand deep. Ends in SyntaxError.
result = "const a: any = " + "{a:".repeat(100_000) + "1" + "}".repeat(100_000);
