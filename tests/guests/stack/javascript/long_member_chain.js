// A hundred thousand optional members, one after the other. Ends in a value or RangeError or SyntaxError or InternalError.
eval("undefined" + "?.a".repeat(100_000));
