// The end of a function that nobody began, and the beginning of another. Ends in SyntaxError.
result = "} async function g() {";
