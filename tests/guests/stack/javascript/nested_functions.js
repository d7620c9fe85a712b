// A definition in a definition, twenty thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("function f() {".repeat(20_000) + "}".repeat(20_000));
