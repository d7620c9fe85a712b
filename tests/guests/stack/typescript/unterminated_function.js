// A function that never ends. Ends in SyntaxError.
result = "function f(a: number): void {";
