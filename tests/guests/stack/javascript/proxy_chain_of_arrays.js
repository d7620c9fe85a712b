// Whether an array behind a hundred thousand proxies is an array. Ends in a value or RangeError.
let proxy = [];
for (let count = 0; count < 100_000; count++) proxy = new Proxy(proxy, {});
Array.isArray(proxy);
