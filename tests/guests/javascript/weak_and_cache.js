// Caches, memoisation and identity.
const memoise = (f, key = (...args) => JSON.stringify(args)) => {
  const known = new Map();
  const memoised = (...args) => {
    const k = key(...args);
    if (!known.has(k)) known.set(k, f(...args));
    return known.get(k);
  };
  return Object.assign(memoised, {
    get size() {
      return known.size;
    },
    clear: () => known.clear(),
  });
};
let calls = 0;
const slow = memoise((a, b) => (calls++, a + b));
console.log(slow(1, 2), slow(1, 2), slow(2, 1), calls);
const byIdentity = new WeakMap();
const describe = (object) =>
  byIdentity.get(object) ?? byIdentity.set(object, `object ${Object.keys(object).length}`).get(object);
const first = { a: 1 };
console.log(describe(first), ((first.b = 2), describe(first)), describe({ ...first }));
const expiring = (lifetime, clock) => {
  const items = new Map();
  return {
    set: (key, value) => items.set(key, { value, until: clock() + lifetime }),
    get(key) {
      const item = items.get(key);
      if (!item || item.until <= clock()) return void items.delete(key);
      return item.value;
    },
    get size() {
      return items.size;
    },
  };
};
let now = 0;
const cache = expiring(10, () => now);
cache.set("a", 1);
now = 5;
cache.set("b", 2);
now = 12;
console.log(cache.get("a"), cache.get("b"), cache.size);
class Lfu {
  #values = new Map();
  #uses = new Map();
  constructor(limit) {
    this.limit = limit;
  }
  get(key) {
    if (!this.#values.has(key)) return undefined;
    this.#uses.set(key, this.#uses.get(key) + 1);
    return this.#values.get(key);
  }
  set(key, value) {
    if (!this.#values.has(key) && this.#values.size === this.limit) {
      const [least] = [...this.#uses].reduce((low, each) => (each[1] < low[1] ? each : low));
      this.#values.delete(least);
      this.#uses.delete(least);
    }
    this.#values.set(key, value);
    this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1);
    return this;
  }
  get keys() {
    return [...this.#values.keys()];
  }
}
const lfu = new Lfu(2).set("x", 1).set("y", 2);
lfu.get("x");
console.log(lfu.set("z", 3).keys, lfu.get("y"));
const intern = ((pool) => (value) => {
  const key = JSON.stringify(value);
  return pool[key] ?? (pool[key] = Object.freeze(value));
})({});
console.log(intern({ a: 1 }) === intern({ a: 1 }), intern([1]) === intern([1]), intern({ a: 1 }) === intern({ a: 2 }));
const once = (f) => {
  let done = false,
    value;
  return (...args) => (done ? value : ((done = true), (value = f(...args))));
};
const initialise = once(() => (console.log("initialising"), { ready: true }));
console.log(initialise() === initialise());
const registry = new (class {
  #seen = new WeakSet();
  visit(object) {
    if (this.#seen.has(object)) return "again";
    this.#seen.add(object);
    return "first time";
  }
})();
console.log(registry.visit(first), registry.visit(first), registry.visit({}));
const lazy = (make) => new Proxy({}, { get: (target, key) => Reflect.get((target.made ??= make()), key) });
const config = lazy(() => (console.log("made"), { url: "http://x", port: 80 }));
console.log("before", config.url, config.port);
const cyclic = { name: "root", children: [{ name: "leaf" }] };
cyclic.children[0].parent = cyclic;
const safe = (value, seen = new WeakSet()) =>
  JSON.stringify(value, (key, each) =>
    typeof each === "object" && each ? (seen.has(each) ? "[cycle]" : (seen.add(each), each)) : each,
  );
console.log(safe(cyclic), cyclic);
const deepSize = (value, seen = new Set()) =>
  typeof value !== "object" || !value || seen.has(value)
    ? 0
    : (seen.add(value), 1 + Object.values(value).reduce((sum, each) => sum + deepSize(each, seen), 0));
console.log(deepSize(cyclic), deepSize([[], [[]]]), deepSize(5));
