// A literal of objects, fifty thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("(" + "{a:".repeat(50_000) + "1" + "}".repeat(50_000) + ")");
