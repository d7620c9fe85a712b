// An expression in a hundred thousand pairs of parentheses. Ends in RangeError or SyntaxError or InternalError.
eval("(".repeat(100_000) + "1" + ")".repeat(100_000));
