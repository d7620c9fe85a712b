const log = [];
const target = { x: 1 };
const proxy = new Proxy(target, {
  get(t, key, r) { log.push(`get ${String(key)}`); return Reflect.get(t, key, r) ?? `no ${String(key)}`; },
  set(t, key, value) { if (typeof value !== "number") throw new TypeError("numbers only"); t[key] = value; return true; },
  has: (t, key) => key.startsWith("x"), deleteProperty(t, key) { log.push(`delete ${key}`); return delete t[key]; }, ownKeys: () => ["x", "y"],
  getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
});
proxy.y = 2;
console.log(proxy.x, proxy.nothing, "xa" in proxy, "a" in proxy, delete proxy.y, Object.keys(proxy));
try { proxy.z = "s"; } catch (e) { console.log(e.message); }
console.log(log);
const negative = (a) => new Proxy(a, { get: (t, k, r) => Reflect.get(t, typeof k === "string" && /^-\d+$/.test(k) ? t.length + Number(k) : k, r) });
console.log(negative([1, 2, 3])[-1]);
const fn = new Proxy(function f(a) { return a; }, { apply: (t, self, args) => t(...args) * 10, construct: (t, args) => ({ made: args }) });
console.log(fn(3), new fn(1, 2));
