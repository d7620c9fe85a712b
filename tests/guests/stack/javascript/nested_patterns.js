// A pattern in a pattern, twenty thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("var " + "[".repeat(20_000) + "a" + "]".repeat(20_000) + " = []");
