// A chain of a hundred thousand members that need not be there.
// expect: stack or exception RangeError or value

result = "const a: any = 1; a" + "?.a".repeat(100_000);
