// A sum of three hundred thousand numbers, in one expression. Ends in a value or RangeError or SyntaxError or InternalError.
eval(new Array(300_000).fill("1").join("+"));
