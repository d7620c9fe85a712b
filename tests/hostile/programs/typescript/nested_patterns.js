// A pattern a hundred thousand deep.
// expect: exception SyntaxError

result = "const " + "[".repeat(100_000) + "a" + "]".repeat(100_000) + ": any = []";
