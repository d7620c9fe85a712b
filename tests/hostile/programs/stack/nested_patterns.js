// A pattern in a pattern, twenty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("var " + "[".repeat(20_000) + "a" + "]".repeat(20_000) + " = []");
