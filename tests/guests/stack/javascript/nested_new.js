// A new of a new, fifty thousand deep. Ends in RangeError or SyntaxError or InternalError or TypeError.
eval("new ".repeat(50_000) + "Object");
