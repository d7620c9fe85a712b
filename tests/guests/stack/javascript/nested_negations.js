// A hundred thousand exclamation marks before a number. Ends in RangeError or SyntaxError or InternalError.
eval("!".repeat(100_000) + "1");
