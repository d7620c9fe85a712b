// A proxy that is its own prototype.
// expect: exception RangeError

const proxy = new Proxy({}, { getPrototypeOf: () => Object.getPrototypeOf(proxy) });
Object.getPrototypeOf(proxy);
