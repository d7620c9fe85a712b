// Nothing but angle brackets that close.
// expect: exception SyntaxError

result = ">".repeat(100_000);
