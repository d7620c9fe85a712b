// A chain of a hundred thousand members that need not be there. Ends in StackOverflow or RangeError or a value.
result = "const a: any = 1; a" + "?.a".repeat(100_000);
