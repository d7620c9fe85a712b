// JSON a hundred thousand arrays deep. Ends in RangeError or SyntaxError.
JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
