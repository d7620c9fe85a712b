// A call with type arguments of type arguments.
// expect: exception SyntaxError

result = "f<" + "A<".repeat(100_000) + "B" + ">".repeat(100_000) + ">(1)";
