// JSON a hundred thousand objects deep. Ends in RangeError or SyntaxError.
JSON.parse('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000));
