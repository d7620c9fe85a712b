// Types of templates of templates.
// expect: exception SyntaxError

result = "type A = " + '`${'.repeat(100_000) + "B" + '}`'.repeat(100_000);
