// Nothing but at signs.
// expect: exception SyntaxError

result = "@".repeat(100_000);
