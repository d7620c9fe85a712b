outer: for (let i = 0; i < 4; i++) {
  for (let j = 0; j < 4; j++) { if (j === 2) continue outer; if (i === 3) break outer; console.log(i, j); }
}
const kind = (x) => { switch (typeof x) { case "number": case "bigint": return "numeric"; case "string": return "text"; default: return x === null ? "null" : Array.isArray(x) ? "array" : typeof x; } };
console.log([1, 2n, "s", null, [], {}, undefined, () => {}, Symbol()].map(kind));
let n = 0; do { n += 3; } while (n < 10); console.log(n);
block: { if (n > 5) break block; console.log("never"); }
for (const k in { b: 1, a: 2, 1: 3, 0: 4 }) console.log(k);
for (const [i, c] of [..."h😀i"].entries()) console.log(i, c, c.length, c.codePointAt(0).toString(16));
try { try { throw 1; } finally { console.log("finally"); } } catch { console.log("caught"); }
console.log((() => { try { return "try"; } finally { console.log("before return"); } })());
