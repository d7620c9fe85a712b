// A function in a function, fifty thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("() => ".repeat(50_000) + "1");
