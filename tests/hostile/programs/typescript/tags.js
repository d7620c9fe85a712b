// Tags as in JSX, which is not to be had.
// expect: exception SyntaxError

result = "<div>".repeat(50_000) + "</div>".repeat(50_000);
