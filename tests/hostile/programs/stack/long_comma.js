// Three hundred thousand expressions, separated by commas.
// expect: value or exception RangeError or exception SyntaxError or exception InternalError

eval(new Array(300_000).fill("1").join(","));
