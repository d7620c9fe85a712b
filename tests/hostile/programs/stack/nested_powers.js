// Fifty thousand powers, which group to the right.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("1 ** ".repeat(50_000) + "1");
