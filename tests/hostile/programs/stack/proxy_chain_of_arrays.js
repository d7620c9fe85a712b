// Whether an array behind a hundred thousand proxies is an array.
// expect: value or exception RangeError

let proxy = [];
for (let count = 0; count < 100_000; count++) proxy = new Proxy(proxy, {});
Array.isArray(proxy);
