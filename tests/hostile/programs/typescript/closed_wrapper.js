// The end of a function that nobody began, and the beginning of another.
// expect: exception SyntaxError

result = "} async function g() {";
