// Fifty thousand assignments in one.
// expect: exception RangeError or exception SyntaxError or exception InternalError

var a;
eval("a = ".repeat(50_000) + "1");
