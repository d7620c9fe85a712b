// Templates in templates.
// expect: exception SyntaxError

result = '`${'.repeat(100_000) + "1" + '}`'.repeat(100_000);
