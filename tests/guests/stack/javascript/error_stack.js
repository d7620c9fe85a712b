// A stack that is looked at while it is made. Ends in RangeError or Error or a value.
Error.prepareStackTrace = () => new Error().stack;
new Error().stack;
