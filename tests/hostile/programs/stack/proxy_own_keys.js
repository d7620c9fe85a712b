// A proxy whose keys are its keys.
// expect: exception RangeError

const proxy = new Proxy({}, { ownKeys: () => Object.keys(proxy) });
Object.keys(proxy);
