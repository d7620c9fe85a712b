// A call with more arguments than there is stack.
// expect: exception RangeError or exception InternalError

const many = new Array(5_000_000).fill(1);
Math.max(...many);
