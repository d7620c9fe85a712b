// An await of an await, fifty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("async () => " + "await ".repeat(50_000) + "1");
