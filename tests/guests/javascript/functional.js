// Functions as values: pipelines, lenses, laziness, transducers.
const pipe =
  (...steps) =>
  (value) =>
    steps.reduce((result, step) => step(result), value);
const map = (f) => (list) => list.map(f);
const filter = (f) => (list) => list.filter(f);
const tap = (f) => (value) => (f(value), value);
console.log(
  pipe(
    filter((x) => x % 2),
    map((x) => x * x),
    tap((list) => console.log("tapped", list)),
    (list) => list.reduce((a, b) => a + b),
  )([1, 2, 3, 4, 5]),
);
const lens = (...path) => ({
  get: (whole) => path.reduce((at, key) => at?.[key], whole),
  set: (value, whole) =>
    path.reduceRight((inner, key, i) => {
      const at = path.slice(0, i).reduce((a, k) => a?.[k], whole);
      return Array.isArray(at) ? at.with(key, inner) : { ...at, [key]: inner };
    }, value),
});
const state = { user: { tags: ["a", "b"], name: "Ada" } };
const second = lens("user", "tags", 1);
console.log(second.get(state), second.set("z", state), state.user.tags);
const Maybe = (value) => ({
  map: (f) => (value == null ? Maybe(null) : Maybe(f(value))),
  or: (other) => value ?? other,
});
console.log(
  Maybe(state)
    .map((s) => s.user)
    .map((u) => u.name)
    .map((n) => n.length)
    .or(0),
  Maybe(state)
    .map((s) => s.none)
    .map((n) => n.x)
    .or("nothing"),
);
class Lazy {
  constructor(source) {
    this.source = source;
  }
  static from = (source) => new Lazy(source);
  map(f) {
    const { source } = this;
    return new Lazy({
      *[Symbol.iterator]() {
        for (const x of source) yield f(x);
      },
    });
  }
  filter(f) {
    const { source } = this;
    return new Lazy({
      *[Symbol.iterator]() {
        for (const x of source) if (f(x)) yield x;
      },
    });
  }
  take(n) {
    const { source } = this;
    return new Lazy({
      *[Symbol.iterator]() {
        let left = n;
        if (left > 0)
          for (const x of source) {
            yield x;
            if (--left === 0) return;
          }
      },
    });
  }
  toArray() {
    return [...this.source];
  }
}
let touched = 0;
const naturals = {
  *[Symbol.iterator]() {
    for (let n = 1; ; n++) yield (touched++, n);
  },
};
console.log(
  Lazy.from(naturals)
    .filter((n) => n % 3 === 0)
    .map((n) => n * n)
    .take(4)
    .toArray(),
  touched,
);
const mapping = (f) => (step) => (all, x) => step(all, f(x));
const filtering = (f) => (step) => (all, x) => (f(x) ? step(all, x) : all);
const transduce = (transform, step, initial, list) => list.reduce(transform(step), initial);
console.log(
  transduce(
    (step) => filtering((x) => x > 2)(mapping((x) => x * 10)(step)),
    (all, x) => [...all, x],
    [],
    [1, 2, 3, 4],
  ),
);
const groupBy = (list, key) =>
  list.reduce((groups, item) => ({ ...groups, [key(item)]: [...(groups[key(item)] ?? []), item] }), {});
const partition = (list, test) =>
  list.reduce(([yes, no], x) => (test(x) ? [[...yes, x], no] : [yes, [...no, x]]), [[], []]);
const range = (from, to, step = 1) => Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step);
console.log(
  groupBy(["one", "two", "three"], (w) => w.length),
  partition([1, 2, 3, 4], (x) => x > 2),
  range(0, 10, 3),
  range(5, 0, -2),
);
const deepMerge = (a, b) =>
  Object.entries(b).reduce(
    (out, [key, value]) => ({
      ...out,
      [key]: value && typeof value === "object" && !Array.isArray(value) ? deepMerge(out[key] ?? {}, value) : value,
    }),
    a,
  );
console.log(deepMerge({ a: { x: 1, y: { z: 1 } }, b: 1 }, { a: { y: { w: 2 } }, c: [1] }));
const deepEqual = (a, b) =>
  Object.is(a, b) ||
  (typeof a === "object" &&
    typeof b === "object" &&
    a &&
    b &&
    Object.keys(a).length === Object.keys(b).length &&
    Object.keys(a).every((key) => deepEqual(a[key], b[key])));
console.log(
  deepEqual({ a: [1, { b: NaN }] }, { a: [1, { b: NaN }] }),
  deepEqual({ a: 1 }, { a: 2 }),
  deepEqual([1, 2], [1, 2, 3]),
  deepEqual(null, {}),
);
const trampoline =
  (f) =>
  (...values) => {
    let result = f(...values);
    while (typeof result === "function") result = result();
    return result;
  };
const sumTo = trampoline((n, total = 0) => (n === 0 ? total : () => sumTo.raw(n - 1, total + n)));
sumTo.raw = (n, total) => (n === 0 ? total : () => sumTo.raw(n - 1, total + n));
console.log(sumTo(20000), ((f) => f(f))((self) => (n) => (n < 2 ? 1 : n * self(self)(n - 1)))(6));
const flip = (f) => (a, b) => f(b, a);
const zipWith = (f, a, b) => a.map((x, i) => f(x, b[i]));
console.log(
  flip((a, b) => a - b)(1, 10),
  zipWith((a, b) => a * b, [1, 2, 3], [4, 5, 6]),
  [
    [1, "a"],
    [2, "b"],
  ].map(([n, l]) => l.repeat(n)),
);
