// A template in a template, twenty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("`${".repeat(20_000) + "1" + "}`".repeat(20_000));
