// Fifty thousand powers, which group to the right. Ends in RangeError or SyntaxError or InternalError.
eval("1 ** ".repeat(50_000) + "1");
