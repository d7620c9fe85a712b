// Fifty thousand conditional expressions, one in another. Ends in RangeError or SyntaxError or InternalError.
eval("0 ? 1 : ".repeat(50_000) + "1");
