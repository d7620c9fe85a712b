// A template in a template, twenty thousand deep. Ends in RangeError or SyntaxError or InternalError.
eval("`${".repeat(20_000) + "1" + "}`".repeat(20_000));
