// Sets, relations and combinatorics.
const union = (a, b) => new Set([...a, ...b]);
const intersection = (a, b) => new Set([...a].filter((x) => b.has(x)));
const difference = (a, b) => new Set([...a].filter((x) => !b.has(x)));
const isSubset = (a, b) => [...a].every((x) => b.has(x));
const [a, b] = [new Set([1, 2, 3, 4]), new Set([3, 4, 5])];
console.log(
  union(a, b),
  intersection(a, b),
  difference(a, b),
  union(difference(a, b), difference(b, a)),
  isSubset(new Set([3]), b),
  isSubset(a, b),
);
const power = (items) => items.reduce((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]]);
console.log(power(["a", "b", "c"]).map((set) => set.join("")));
const closure = (pairs) => {
  const known = new Set(pairs.map(String));
  for (let grew = true; grew;) {
    grew = false;
    for (const x of [...known])
      for (const y of [...known]) {
        const [[p, q], [r, s]] = [x.split(","), y.split(",")];
        if (q === r && !known.has(`${p},${s}`)) (known.add(`${p},${s}`), (grew = true));
      }
  }
  return [...known].sort();
};
console.log(
  closure([
    ["a", "b"],
    ["b", "c"],
    ["c", "d"],
  ]),
);
const classes = (items, same) =>
  items.reduce((groups, item) => {
    const group = groups.find(([first]) => same(first, item));
    if (group) group.push(item);
    else groups.push([item]);
    return groups;
  }, []);
console.log(
  classes([1, 5, 2, 9, 4, 6], (x, y) => x % 4 === y % 4),
  classes(["ab", "ba", "cd"], (x, y) => [...x].sort().join() === [...y].sort().join()),
);
function* permutations(items, size = items.length) {
  if (size === 0) yield [];
  else
    for (const [i, item] of items.entries())
      for (const rest of permutations(items.toSpliced(i, 1), size - 1)) yield [item, ...rest];
}
function* combinations(items, size, from = 0) {
  if (size === 0) yield [];
  else
    for (let i = from; i <= items.length - size; i++)
      for (const rest of combinations(items, size - 1, i + 1)) yield [items[i], ...rest];
}
console.log(
  [...permutations([1, 2, 3], 2)].map((p) => p.join("")).join(" "),
  [...combinations([1, 2, 3, 4], 3)].map((c) => c.join("")).join(" "),
  [...permutations([..."abcd"])].length,
);
const solve = () => {
  for (const [s, e, n, d, m, o, r, y] of permutations(
    [0, 1, 2, 5, 6, 7, 8, 9].length ? [9, 5, 6, 7, 1, 0, 8, 2] : [],
    8,
  )) {
    if (!s || !m) continue;
    if (
      s * 1000 + e * 100 + n * 10 + d + m * 1000 + o * 100 + r * 10 + e ===
      m * 10000 + o * 1000 + n * 100 + e * 10 + y
    )
      return { s, e, n, d, m, o, r, y };
  }
};
console.log(solve());
const unique = [
  ...new Map(
    [
      { id: 1, v: "a" },
      { id: 2, v: "b" },
      { id: 1, v: "c" },
    ].map((item) => [item.id, item]),
  ).values(),
];
console.log(
  unique,
  [...new Set([[1], [1]].map(JSON.stringify))].map((text) => JSON.parse(text)),
);
const multiset = (text) => [...text].reduce((bag, c) => bag.set(c, (bag.get(c) ?? 0) + 1), new Map());
const canBuild = (word, letters) => {
  const bag = multiset(letters);
  return [...multiset(word)].every(([c, n]) => (bag.get(c) ?? 0) >= n);
};
console.log(canBuild("hello", "ehllox"), canBuild("hello", "helo"));
const partitions = (n, max = n) =>
  n === 0
    ? [[]]
    : Array.from({ length: Math.min(n, max) }, (_, i) => i + 1)
        .reverse()
        .flatMap((first) => partitions(n - first, first).map((rest) => [first, ...rest]));
console.log(partitions(5).map((p) => p.join("+")));
const weak = new WeakMap();
const hidden = (object) => weak.get(object) ?? (weak.set(object, { visits: 0 }), weak.get(object));
const visitor = {};
hidden(visitor).visits++;
hidden(visitor).visits++;
console.log(hidden(visitor), hidden({}), Object.keys(visitor));
