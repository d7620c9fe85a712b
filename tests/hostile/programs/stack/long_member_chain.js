// A hundred thousand optional members, one after the other.
// expect: value or exception RangeError or exception SyntaxError or exception InternalError

eval("undefined" + "?.a".repeat(100_000));
