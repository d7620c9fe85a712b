// A condition in a condition, fifty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("if (1) ".repeat(50_000) + ";");
