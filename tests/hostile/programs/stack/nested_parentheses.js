// An expression in a hundred thousand pairs of parentheses.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("(".repeat(100_000) + "1" + ")".repeat(100_000));
