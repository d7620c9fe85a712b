// A pattern of a hundred thousand groups, one in another.
// expect: exception RangeError or exception SyntaxError or exception InternalError

new RegExp("(?:".repeat(100_000) + "a" + ")".repeat(100_000)).test("a");
