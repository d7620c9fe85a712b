// Fifty thousand assignments in one. Ends in RangeError or SyntaxError or InternalError.
var a;
eval("a = ".repeat(50_000) + "1");
