// Templates in templates, and none of them ends.
// expect: exception SyntaxError

result = '`${'.repeat(100_000);
