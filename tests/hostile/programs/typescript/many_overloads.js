// A function with thirty thousand overloads.
// expect: value or exception SyntaxError

result = "function f(a: number): void;\n".repeat(30_000) + "function f(a: any) {}";
