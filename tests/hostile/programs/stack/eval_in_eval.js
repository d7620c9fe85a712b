// Evaluating a text evaluates it.
// expect: exception RangeError

var code = "eval(code)";
eval(code);
