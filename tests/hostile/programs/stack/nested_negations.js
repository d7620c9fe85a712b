// A hundred thousand exclamation marks before a number.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("!".repeat(100_000) + "1");
