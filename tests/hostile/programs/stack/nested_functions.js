// A definition in a definition, twenty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("function f() {".repeat(20_000) + "}".repeat(20_000));
