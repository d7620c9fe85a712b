// structuredClone.
const shared = { name: "shared" };
const original = {
  date: new Date(0),
  pattern: /x+/gi,
  map: new Map([["k", shared]]),
  set: new Set([1, shared]),
  list: [1, , 3],
  bytes: new Uint8Array([1, 2]),
  nested: { deep: [shared] },
  error: new RangeError("r"),
  big: 10n,
  nothing: undefined,
  nan: NaN,
  boxed: new String("s"),
  buffer: new ArrayBuffer(2),
  view: new DataView(new ArrayBuffer(3)),
};
original.self = original;
const copy = structuredClone(original);
console.log(
  copy.date.getTime(),
  copy.date !== original.date,
  copy.pattern.source,
  copy.pattern.flags,
  copy.map.get("k") === copy.nested.deep[0],
  copy.set.has(copy.map.get("k")),
  copy.self === copy,
);
console.log(
  1 in copy.list,
  copy.list.length,
  copy.bytes,
  copy.error.name,
  copy.error.message,
  copy.error instanceof RangeError,
  copy.big,
  "nothing" in copy,
  copy.nan,
  typeof copy.boxed,
  copy.buffer.byteLength,
  copy.view.byteLength,
);
copy.nested.deep[0].name = "changed";
console.log(shared.name, structuredClone(5), structuredClone(null), structuredClone("t"));
class Point {
  constructor() {
    this.x = 1;
  }
  get double() {
    return 2;
  }
}
console.log(
  structuredClone(new Point()).constructor === Object,
  structuredClone({
    get computed() {
      return 7;
    },
  }),
  structuredClone(Object.create({ inherited: 1 })),
  structuredClone({ [Symbol("s")]: 1 }),
);
for (const value of [() => 1, Symbol("s"), { method() {} }, new WeakMap(), Promise.resolve()]) {
  try {
    structuredClone(value);
    console.log("cloned");
  } catch (error) {
    console.log(error.name);
  }
}
