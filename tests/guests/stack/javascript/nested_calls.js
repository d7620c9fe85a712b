// A call in a call, fifty thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("Math.abs(".repeat(50_000) + "1" + ")".repeat(50_000));
