// A pattern of ten thousand captures, one in another.
// expect: exception RangeError or exception SyntaxError or exception InternalError or value

new RegExp("(".repeat(10_000) + "a" + ")".repeat(10_000)).test("a");
