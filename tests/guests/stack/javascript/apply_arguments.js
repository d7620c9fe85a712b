// An application to more arguments than there is stack. Ends in RangeError or InternalError.
String.fromCharCode.apply(null, new Array(5_000_000).fill(65)).length;
