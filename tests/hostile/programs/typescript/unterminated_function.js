// A function that never ends.
// expect: exception SyntaxError

result = "function f(a: number): void {";
