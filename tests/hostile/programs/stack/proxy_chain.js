// A proxy of a proxy of a proxy, a hundred thousand times.
// expect: exception RangeError

let proxy = {};
for (let count = 0; count < 100_000; count++) proxy = new Proxy(proxy, {});
proxy.field;
