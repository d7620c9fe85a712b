// An await of an await, fifty thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("async () => " + "await ".repeat(50_000) + "1");
