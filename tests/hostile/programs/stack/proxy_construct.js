// A proxy that is constructed by constructing it.
// expect: exception RangeError

const proxy = new Proxy(class {}, { construct: () => new proxy() });
new proxy();
