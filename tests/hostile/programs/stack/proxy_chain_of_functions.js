// A function behind a hundred thousand proxies.
// expect: exception RangeError

let proxy = () => 1;
for (let count = 0; count < 100_000; count++) proxy = new Proxy(proxy, {});
proxy();
