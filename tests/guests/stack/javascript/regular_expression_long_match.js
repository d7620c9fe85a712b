// A pattern that remembers a million steps. Ends in a value or RangeError or InternalError.
/^(?:a|b)*$/.test("ab".repeat(500_000));
