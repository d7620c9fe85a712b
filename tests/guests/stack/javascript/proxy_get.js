// A proxy that looks into itself. Ends in RangeError.
const proxy = new Proxy({}, { get: (target, name, receiver) => receiver[name] });
proxy.field;
