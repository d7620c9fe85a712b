// Fifty thousand conditional expressions, one in another.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("0 ? 1 : ".repeat(50_000) + "1");
