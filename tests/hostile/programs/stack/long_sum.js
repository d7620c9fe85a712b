// A sum of three hundred thousand numbers, in one expression.
// expect: value or exception RangeError or exception SyntaxError or exception InternalError

eval(new Array(300_000).fill("1").join("+"));
