// A pattern that tries two to the power of forty ways.
// expect: timeout or exception RangeError or exception InternalError

/^(a+)+$/.test("a".repeat(40) + "!");
