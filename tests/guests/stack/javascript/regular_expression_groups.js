// A pattern of a hundred thousand groups, one in another. Ends in RangeError or SyntaxError or InternalError.
new RegExp("(?:".repeat(100_000) + "a" + ")".repeat(100_000)).test("a");
