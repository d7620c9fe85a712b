// Classes that extend classes that are written right there.
// expect: exception SyntaxError

result = "class A extends " + "(class extends ".repeat(50_000) + "B {}" + "){}".repeat(50_000) + "{}";
