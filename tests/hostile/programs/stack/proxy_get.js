// A proxy that looks into itself.
// expect: exception RangeError

const proxy = new Proxy({}, { get: (target, name, receiver) => receiver[name] });
proxy.field;
