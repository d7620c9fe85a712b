const m = new Map([["a", 1], [NaN, "nan"], [{}, "obj"]]); m.set("b", 2).set("a", 3);
console.log(m, m.size, m.get(NaN), [...m.keys()], m.has("b"), m.delete("b"), [...m].length, m.entries(), m.values());
const s = new Set([1, "1", 1, NaN, NaN]); console.log(s, s.size, [...s].map(String), s.has("1"));
const union = (a, b) => new Set([...a, ...b]), inter = (a, b) => new Set([...a].filter((x) => b.has(x)));
console.log(union(new Set([1, 2]), new Set([2, 3])), inter(new Set([1, 2]), new Set([2, 3])), new Set("hello"));
m.forEach((v, k) => console.log(typeof k, v));
const w = new WeakMap(); const k = {}; w.set(k, 1); console.log(w.get(k), w.has({}), new WeakSet([k]).has(k));
class DefaultMap extends Map { constructor(make, ...a) { super(...a); this.make = make; } get(k) { if (!this.has(k)) this.set(k, this.make()); return super.get(k); } }
const d = new DefaultMap(() => []); d.get("x").push(1); d.get("x").push(2); console.log(d.get("x"), d.size, Object.fromEntries(d));
const lru = new Map(); for (const x of [1, 2, 3, 1, 4]) { lru.delete(x); lru.set(x, x * x); if (lru.size > 3) lru.delete(lru.keys().next().value); } console.log([...lru]);
const inverted = Object.entries({ a: 1, b: 2 }).reduce((o, [k, v]) => ({ ...o, [v]: k }), {}); console.log(inverted, Map.groupBy ? "grouped" : "grouped");
