// An application to more arguments than there is stack.
// expect: exception RangeError or exception InternalError

String.fromCharCode.apply(null, new Array(5_000_000).fill(65)).length;
