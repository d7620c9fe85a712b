// A call in a call, fifty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("Math.abs(".repeat(50_000) + "1" + ")".repeat(50_000));
