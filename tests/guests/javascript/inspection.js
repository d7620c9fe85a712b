// How values look.
console.log({ a: 1, "b-c": 2, 3: "three" });
console.log([1, "two", null, undefined, true, 5n, [6], { seven: 7 }], [[]], [{}], {}, []);
console.log({ level1: { level2: { level3: { level4: "hidden" } } } }, [[[[["deep"]]]]]);
console.log(new Map([["a", { b: 1 }]]), new Set(["x", 1]), new Date(0), /re/g, Symbol("s"), 12345678901234567890n);
console.log(
  function named() {},
  () => {},
  class A {},
  class B extends Array {},
  async () => {},
  function* gen() {},
  async function* agen() {},
  Math.max,
  class {},
);
class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
}
console.log(
  new Point(1, 2),
  [new Point(3, 4)],
  { p: new Point(5, 6) },
  Object.create(null),
  Object.assign(Object.create(null), { k: 1 }),
  Object.create({ inherited: 1 }),
);
console.log(Array.from({ length: 120 }, (_, i) => i));
console.log("x".repeat(200).length, ["x".repeat(30), "y".repeat(30), "z".repeat(30)], {
  long: "a".repeat(100),
  other: "b".repeat(20),
});
console.log({
  get only() {
    return 1;
  },
  set only2(v) {},
  get both() {
    return 1;
  },
  set both(v) {},
});
console.log(
  Object.assign(() => {}, { extra: 1 }),
  Object.assign([1, 2], { named: true }),
  new (class Empty {})(),
);
console.log([1.0, 2.5, -3], ["it's", 'say "hi"', `both ' and "`, "tab\t newline\n"], [null], [undefined], [, 1, , ,]);
console.log(new Boolean(true), new Number(5), new String("str"), Object(Symbol("boxed")), Object(5n));
console.log(
  Promise.resolve(42),
  Promise.reject(1).catch(() => {}) instanceof Promise,
  new Promise(() => {}),
  (async () => "value")(),
);
console.log(new Uint8Array([1, 2, 3]), new Float64Array(2), new WeakMap(), new WeakSet(), globalThis === undefined);
const circular = { name: "c", list: [] };
circular.self = circular;
circular.list.push(circular);
console.log(circular);
console.log(
  [
    ["a", 1],
    ["b", 2],
  ],
  [
    { id: 1, tags: ["x", "y"] },
    { id: 2, tags: [] },
  ],
  { f() {}, g: () => {}, h: class {} },
);
console.log({ a: [1, 2, { b: [3, { c: 4 }] }], m: new Map([[{ k: 1 }, new Set([[1]])]]) });
console.log(new Array(5), [1, , 3], Array(101).fill(0).length, [undefined, , null]);
console.log(
  { a: "a".repeat(60), b: "b".repeat(60) },
  ["short", "list"],
  Array.from({ length: 30 }, (_, i) => `item ${i}`),
);
console.log(process.argv.length > 0, typeof process.exit, [new Date(NaN)], [function () {}], {
  undefined: undefined,
  null: null,
});
console.log(
  (function () {
    return arguments;
  })(1, 2).length,
  new Error("e").message,
  [..."ab"].entries().toString(),
  new Map().keys().toString(),
);
