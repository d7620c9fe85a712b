// A call with more arguments than there is stack. Ends in RangeError or InternalError.
const many = new Array(5_000_000).fill(1);
Math.max(...many);
