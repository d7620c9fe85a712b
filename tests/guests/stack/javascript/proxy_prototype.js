// A proxy that is its own prototype. Ends in RangeError.
const proxy = new Proxy({}, { getPrototypeOf: () => Object.getPrototypeOf(proxy) });
Object.getPrototypeOf(proxy);
