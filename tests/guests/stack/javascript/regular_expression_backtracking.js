// A pattern that tries two to the power of forty ways. Ends in Timeout or RangeError or InternalError.
/^(a+)+$/.test("a".repeat(40) + "!");
