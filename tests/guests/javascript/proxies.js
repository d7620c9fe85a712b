// Proxy and Reflect.
const log = [];
const handler = {
  get(target, key, receiver) {
    if (typeof key === "string") log.push(`get ${key}`);
    return Reflect.get(target, key, receiver);
  },
  set(target, key, value, receiver) {
    log.push(`set ${key}`);
    return Reflect.set(target, key, value, receiver);
  },
  has: (target, key) => (log.push(`has ${String(key)}`), key in target),
  deleteProperty: (target, key) => (log.push(`delete ${key}`), delete target[key]),
  ownKeys: (target) => (log.push("ownKeys"), Reflect.ownKeys(target)),
  getOwnPropertyDescriptor: (target, key) => Reflect.getOwnPropertyDescriptor(target, key),
  defineProperty: (target, key, descriptor) => (
    log.push(`define ${key}`),
    Reflect.defineProperty(target, key, descriptor)
  ),
};
const proxy = new Proxy({ a: 1 }, handler);
proxy.b = proxy.a + 1;
"a" in proxy;
delete proxy.a;
Object.keys(proxy);
console.log(log.join(", "));
const callable = new Proxy(
  function add(x, y) {
    return x + y;
  },
  {
    apply: (target, self, values) => target(...values) * 10,
    construct: (target, values) => ({ made: values }),
  },
);
console.log(callable(1, 2), new callable("x"));
const defaults = (target, value) => new Proxy(target, { get: (object, key) => (key in object ? object[key] : value) });
console.log(defaults({ known: 1 }, 0).known, defaults({}, 0).unknown);
const negative = (list) =>
  new Proxy(list, {
    get: (target, key, receiver) =>
      Reflect.get(target, typeof key === "string" && /^-\d+$/.test(key) ? target.length + Number(key) : key, receiver),
  });
console.log(negative([1, 2, 3])[-1], negative([1, 2, 3]).length);
const validated = new Proxy(
  {},
  { set: (target, key, value) => (typeof value === "number" ? Reflect.set(target, key, value) : false) },
);
validated.n = 1;
console.log(validated.n, Reflect.set(validated, "s", "text"));
(function () {
  "use strict";
  try {
    validated.s = "text";
  } catch (error) {
    console.log(error.constructor.name);
  }
})();
const { proxy: revocable, revoke } = Proxy.revocable({ x: 1 }, {});
console.log(revocable.x);
revoke();
try {
  revocable.x;
} catch (error) {
  console.log(error.constructor.name);
}
console.log(Reflect.ownKeys({ b: 1, 2: 1, a: 1, 1: 1, [Symbol.iterator]: 1 }));
console.log(Reflect.construct(Date, [0]).getTime(), Reflect.has({ x: 1 }, "x"), Reflect.apply(Math.max, null, [1, 3]));
console.log(
  Reflect.getPrototypeOf([]) === Array.prototype,
  Reflect.isExtensible(Object.freeze({})),
  Reflect.deleteProperty({ x: 1 }, "x"),
);
class Base {}
class Derived {}
console.log(Reflect.construct(Base, [], Derived) instanceof Derived, Array.isArray(new Proxy([], {})));
try {
  Object.keys(new Proxy(Object.freeze({ fixed: 1 }), { ownKeys: () => [] }));
} catch (error) {
  console.log(error.constructor.name);
}
