// A function in a function, fifty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("() => ".repeat(50_000) + "1");
