// A switch in a switch, twenty thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("switch (1) { case 1: ".repeat(20_000) + "}".repeat(20_000));
