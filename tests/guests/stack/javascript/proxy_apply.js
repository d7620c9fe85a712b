// A proxy that is called by calling it. Ends in RangeError.
const proxy = new Proxy(() => {}, { apply: () => proxy() });
proxy();
