// A literal of objects, fifty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("(" + "{a:".repeat(50_000) + "1" + "}".repeat(50_000) + ")");
