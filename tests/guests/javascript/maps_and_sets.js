// Map, Set, WeakMap, WeakSet, WeakRef.
const map = new Map([
  ["a", 1],
  [NaN, "nan"],
  [0, "zero"],
]);
map.set("b", 2).set(-0, "minus zero").set("a", 3);
console.log(map, map.size, map.get(NaN), map.get(0), map.has("c"), map.delete("b"), map.delete("b"));
console.log([...map.keys()], [...map.values()], [...map].length, Object.fromEntries(map));
const seen = [];
map.forEach((value, key, self) => seen.push([key, value, self === map]));
console.log(seen);
const set = new Set([3, 1, 3, "3", NaN, NaN]);
console.log(set, set.size, set.has("3"), set.add(1) === set, [...set].map(String), set.delete(3));
const left = new Set([1, 2, 3]);
const right = new Set([2, 3, 4]);
console.log(
  [...left].filter((x) => right.has(x)),
  [...new Set([...left, ...right])],
  [...left].filter((x) => !right.has(x)),
);
const growing = new Set([1]);
for (const value of growing) if (value < 5) growing.add(value + 1);
console.log(growing);
const keyed = new Map();
const one = {};
const two = {};
keyed.set(one, "one").set(two, "two");
console.log(keyed.get(one), keyed.get({}), keyed);
const weak = new WeakMap([[one, 1]]);
console.log(weak.get(one), weak.has(two), weak.set(two, 2) === weak, weak.delete(one), weak.has(one));
try {
  weak.set("text", 1);
} catch (error) {
  console.log(error.constructor.name);
}
const marked = new WeakSet([one]);
console.log(marked.has(one), marked.has(two), new WeakRef(one).deref() === one, weak, marked);
const counts = [..."mississippi"].reduce((tally, letter) => tally.set(letter, (tally.get(letter) ?? 0) + 1), new Map());
console.log([...counts].sort(([, a], [, b]) => b - a));
console.log(new Map([[{ deep: [1] }, new Map([["inner", new Set([1])]])]]), new Map(), new Set());
try {
  new Map([1]);
} catch (error) {
  console.log(error.constructor.name);
}
const lru = new (class extends Map {
  set(key, value) {
    super.delete(key);
    super.set(key, value);
    if (this.size > 2) this.delete(this.keys().next().value);
    return this;
  }
})();
lru.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
console.log([...lru]);
map.clear();
console.log(map.size, map.entries().next(), Object.prototype.toString.call(new Map().entries()));
