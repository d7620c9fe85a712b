// A class with a hundred thousand decorators. Ends in ReferenceError or SyntaxError.
result = "@a ".repeat(100_000) + "class A {}";
