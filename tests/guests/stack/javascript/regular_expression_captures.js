// A pattern of ten thousand captures, one in another. Ends in RangeError or SyntaxError or InternalError or a value.
new RegExp("(".repeat(10_000) + "a" + ")".repeat(10_000)).test("a");
