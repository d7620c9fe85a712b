// A scope in a scope, twenty thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("with ({}) ".repeat(20_000) + ";");
