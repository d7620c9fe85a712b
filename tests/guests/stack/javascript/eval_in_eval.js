// Evaluating a text evaluates it. Ends in RangeError.
var code = "eval(code)";
eval(code);
