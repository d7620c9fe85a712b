// A proxy that asks itself what it has.
// expect: exception RangeError

const proxy = new Proxy({}, { has: (target, name) => name in proxy });
"field" in proxy;
