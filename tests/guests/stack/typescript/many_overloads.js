// A function with thirty thousand overloads. Ends in a value or SyntaxError.
result = "function f(a: number): void;\n".repeat(30_000) + "function f(a: any) {}";
