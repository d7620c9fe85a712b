// A switch in a switch, twenty thousand deep.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval("switch (1) { case 1: ".repeat(20_000) + "}".repeat(20_000));
