// A condition in a condition, fifty thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("if (1) ".repeat(50_000) + ";");
