// A type that never ends.
// expect: exception SyntaxError

result = "type A = { a: ";
