// A new of a new, fifty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError or exception TypeError

eval("new ".repeat(50_000) + "Object");
