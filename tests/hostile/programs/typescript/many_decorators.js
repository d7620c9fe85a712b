// A class with a hundred thousand decorators.
// expect: exception ReferenceError or exception SyntaxError

result = "@a ".repeat(100_000) + "class A {}";
