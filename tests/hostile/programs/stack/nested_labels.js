// A hundred thousand labels.
// expect: exception RangeError or exception SyntaxError or exception InternalError

eval(Array.from({ length: 100_000 }, (_, index) => `l${index}:`).join("") + ";");
