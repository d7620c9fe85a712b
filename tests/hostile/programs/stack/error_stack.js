// A stack that is looked at while it is made.
// expect: exception RangeError or exception Error or value

Error.prepareStackTrace = () => new Error().stack;
new Error().stack;
