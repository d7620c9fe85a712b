class Range {
  constructor(a, b, step = 1) { Object.assign(this, { a, b, step }); }
  *[Symbol.iterator]() { for (let i = this.a; i < this.b; i += this.step) yield i; }
  get [Symbol.toStringTag]() { return "Range"; }
  [Symbol.toPrimitive](hint) { return hint === "number" ? this.b - this.a : `[${this.a},${this.b})`; }
  static [Symbol.hasInstance](x) { return typeof x === "number"; }
}
const r = new Range(1, 10, 3);
console.log([...r], `${r}`, +r, Object.prototype.toString.call(r), 5 instanceof Range, Math.max(...r));
const [first, , third = "none", fourth = "none"] = r; console.log(first, third, fourth);
console.log(Symbol("d").toString(), Symbol("d").description, Symbol.for("k") === Symbol.for("k"), Symbol.keyFor(Symbol.for("k")));
const s = Symbol("hidden"); const o = { [s]: 1, shown: 2 };
console.log(o, Object.keys(o), Object.getOwnPropertySymbols(o), JSON.stringify(o));
console.log(Array.from({ length: 3, 0: "a", 1: "b" }), Array.from(new Map([[1, 2]])), [..."ab"].entries().next());
