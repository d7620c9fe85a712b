// The end of a function without its beginning, and the beginning of another.
// expect: exception SyntaxError

result = "} async function g() {";
