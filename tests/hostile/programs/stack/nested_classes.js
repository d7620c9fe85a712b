// A class in a class, twenty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("(class { a = ".repeat(20_000) + "1" + "})".repeat(20_000));
