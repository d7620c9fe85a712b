// A type that never ends. Ends in SyntaxError.
result = "type A = { a: ";
