// Object's own functions.
const source = { a: 1, b: { c: 2 } };
console.log(
  Object.keys(source),
  Object.values(source),
  Object.entries(source),
  Object.assign({}, source, { a: 9 }, null, undefined, "xy"),
);
console.log(
  Object.fromEntries([
    ["x", 1],
    ["y", 2],
  ]),
  Object.fromEntries(new Map([["m", 1]])),
  Object.entries([7, 8]),
  Object.keys("ab"),
  Object.values("ab"),
  Object.entries({}).length,
);
console.log(
  Object.getOwnPropertyNames([1]),
  Object.getOwnPropertyNames("a"),
  Object.is(NaN, 0 / 0),
  Object.is(0, -0),
  Object.hasOwn(source, "a"),
  Object.hasOwn([], "length"),
);
const frozen = Object.freeze({ inner: {} });
frozen.inner.changed = true;
frozen.added = 1;
console.log(
  frozen,
  Object.isFrozen(frozen),
  Object.isFrozen("text"),
  Object.isExtensible(frozen),
  Object.isSealed(Object.seal({})),
  Object.isFrozen({}),
);
const deepFreeze = (object) => {
  for (const value of Object.values(object)) if (typeof value === "object" && value) deepFreeze(value);
  return Object.freeze(object);
};
const deep = deepFreeze({ a: { b: { c: 1 } } });
deep.a.b.c = 2;
console.log(deep.a.b.c);
const clone = (value) =>
  value && typeof value === "object"
    ? Array.isArray(value)
      ? value.map(clone)
      : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, clone(each)]))
    : value;
const copy = clone(source);
copy.b.c = 99;
console.log(source.b.c, copy);
const mapValues = (object, f) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, f(value, key)]));
const invert = (object) => Object.fromEntries(Object.entries(object).map(([key, value]) => [value, key]));
console.log(
  mapValues({ a: 1, b: 2 }, (value) => value * 10),
  invert({ a: "x", b: "y" }),
  Object.entries({ b: 2, a: 1 }).sort(),
  JSON.stringify(Object.entries({ b: 2, a: 1 }).sort(([x], [y]) => x.localeCompare(y))),
);
const dictionary = Object.create(null);
dictionary.toString = "safe";
dictionary.__proto__ = "also safe";
console.log(Object.keys(dictionary), "hasOwnProperty" in dictionary, dictionary.constructor);
const order = { z: 1, 10: 1, a: 1, 2: 1, [Symbol("s")]: 1, "-1": 1, 1.5: 1 };
console.log(Object.keys(order), Reflect.ownKeys(order).length);
const counted = {
  count: 0,
  get next() {
    return ++this.count;
  },
};
const { next } = counted;
console.log(next, counted.next, { ...counted }.next, Object.assign({}, counted).count);
console.log(
  delete source.a,
  source,
  delete source.missing,
  "a" in source,
  source?.b?.["c"],
  source["b"].c,
  typeof source.missing,
);
const path = (object, keys) => keys.split(".").reduce((at, key) => at?.[key], object);
console.log(path({ a: { b: [{ c: 5 }] } }, "a.b.0.c"), path({}, "a.b.c"));
console.log(
  Object.entries(
    Object.getOwnPropertyDescriptors({
      get g() {
        return 1;
      },
      v: 2,
    }),
  ).map(([key, descriptor]) => [key, Object.keys(descriptor)]),
  Object(1) instanceof Number,
  Object("s").length,
  new Object() instanceof Object,
);
const shorthand = (a, b) => ({
  a,
  b,
  sum() {
    return this.a + this.b;
  },
  ["k" + a]: b,
  async later() {
    return 1;
  },
  "quoted key": 1,
  0.5: "half",
});
console.log(shorthand(1, 2), shorthand(1, 2).sum());
