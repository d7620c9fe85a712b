// A block in a block, a hundred thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("{".repeat(100_000) + "}".repeat(100_000));
