// Types of members of members.
// expect: value or exception SyntaxError

result = "type A = B" + '[0]'.repeat(100_000);
