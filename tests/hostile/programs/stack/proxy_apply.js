// A proxy that is called by calling it.
// expect: exception RangeError

const proxy = new Proxy(() => {}, { apply: () => proxy() });
proxy();
