// A regular expression that never comes to a decision.
// expect: timeout

/^(a+)+$/.test('a'.repeat(60) + 'b');
