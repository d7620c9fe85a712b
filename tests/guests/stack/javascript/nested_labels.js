// A hundred thousand labels. Ends in RangeError or SyntaxError or InternalError.
eval(Array.from({ length: 100_000 }, (_, index) => `l${index}:`).join("") + ";");
