// A proxy whose keys are its keys. Ends in RangeError.
const proxy = new Proxy({}, { ownKeys: () => Object.keys(proxy) });
Object.keys(proxy);
