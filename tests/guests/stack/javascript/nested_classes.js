// A class in a class, twenty thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("(class { a = ".repeat(20_000) + "1" + "})".repeat(20_000));
