// A scope in a scope, twenty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("with ({}) ".repeat(20_000) + ";");
