// A proxy that is constructed by constructing it. Ends in RangeError.
const proxy = new Proxy(class {}, { construct: () => new proxy() });
new proxy();
