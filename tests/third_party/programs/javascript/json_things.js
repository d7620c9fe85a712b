const data = { date: new Date(Date.UTC(2024, 1, 29)), set: new Set([1]), map: new Map([["a", 1]]), un: undefined, fn() {}, nan: NaN, nested: { deep: [1, [2, [3]]] } };
console.log(JSON.stringify(data));
console.log(JSON.stringify({ a: 1, b: [1, 2], c: { d: null } }, null, "\t"));
console.log(JSON.stringify({ a: 5, b: "x", c: { a: 1 } }, ["a", "c"]), JSON.stringify("\u2028\ud800\n"));
console.log(JSON.parse('{"a":[1,2,{"b":null}],"__proto__":1}', (key, value) => (typeof value === "number" ? value * 2 : value)));
for (const bad of ["{a:1}", "[1,]", "", "01", '"\n"']) {
  try { JSON.parse(bad); console.log("parsed", bad); } catch (error) { console.log(error.name); }
}
try { const a = {}; a.a = a; JSON.stringify(a); } catch (error) { console.log(error.name); }
try { JSON.stringify(1n); } catch (error) { console.log(error.name); }
console.log(JSON.stringify({ toJSON() { return { x: 1 }; } }), JSON.stringify([undefined, () => 1, Symbol("s")]), JSON.stringify(undefined));
