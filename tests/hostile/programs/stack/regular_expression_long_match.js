// A pattern that remembers a million steps.
// expect: value or exception RangeError or exception InternalError

/^(?:a|b)*$/.test("ab".repeat(500_000));
