// Evaluating a text in the global scope evaluates it there.
// expect: exception RangeError

globalThis.code = "(0, eval)(code)";
(0, eval)(globalThis.code);
