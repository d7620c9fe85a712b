// Long chains over arrays.
const people = [
  ["Ada", 36, "maths"],
  ["Grace", 45, "code"],
  ["Alan", 41, "maths"],
  ["Edsger", 72, "code"],
  ["Barbara", 30, "code"],
].map(([name, age, field]) => ({ name, age, field }));
console.log(
  people
    .filter(({ age }) => age > 35)
    .map(({ name }) => name)
    .sort()
    .join(", "),
);
console.log(
  Object.entries(
    people.reduce((groups, person) => {
      (groups[person.field] ||= []).push(person.age);
      return groups;
    }, {}),
  ).map(([field, ages]) => `${field}: ${ages.length}, ${(ages.reduce((a, b) => a + b) / ages.length).toFixed(1)}`),
);
console.log(
  people.toSorted((a, b) => a.age - b.age).at(0),
  people.findLast(({ field }) => field === "maths").name,
  people.findIndex(({ name }) => name.startsWith("E")),
  people.some(({ age }) => age > 70),
  people.every(({ age }) => age > 30),
);
const index = Object.fromEntries(people.map((person) => [person.name.toLowerCase(), person]));
console.log(Object.keys(index), index.ada === people[0]);
const histogram = [1, 5, 2, 8, 5, 9, 1, 5].reduce((counts, n) => ({ ...counts, [n]: (counts[n] ?? 0) + 1 }), {});
console.log(histogram, Object.entries(histogram).sort(([, a], [, b]) => b - a)[0]);
const windows = (list, size) => list.slice(size - 1).map((_, i) => list.slice(i, i + size));
const chunks = (list, size) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, i * size + size));
const transpose = (rows) => rows[0].map((_, i) => rows.map((row) => row[i]));
const interleave = (...lists) => transpose(lists).flat();
console.log(windows([1, 2, 3, 4], 2), chunks([1, 2, 3, 4, 5], 2), interleave([1, 2], ["a", "b"]));
const scan = (list, f, start) =>
  list.map(
    (
      (total) => (value) =>
        (total = f(total, value))
    )(start),
  );
console.log(
  scan([1, 2, 3, 4], (a, b) => a + b, 0),
  scan([3, 1, 4, 1, 5], Math.max, -Infinity),
);
const cartesian = (...lists) =>
  lists.reduce((all, list) => all.flatMap((each) => list.map((value) => [...each, value])), [[]]);
console.log(
  cartesian([1, 2], ["a", "b"], [true]).length,
  cartesian([1, 2], ["a", "b"]).map((each) => each.join("")),
);
const rotate = (list, by) => list.map((_, i) => list[(i + by + list.length) % list.length]);
console.log(
  rotate([1, 2, 3, 4], 1),
  rotate([1, 2, 3, 4], -1),
  [..."hello"].map((c, i, { length }) => (i === 0 || i === length - 1 ? c : "*")).join(""),
);
const deepest = (value, level = 0) =>
  Array.isArray(value) ? Math.max(level + 1, ...value.map((each) => deepest(each, level + 1))) : level;
console.log(
  deepest([1, [2, [3]], [[[4]]]]),
  [
    [3, "c"],
    [1, "a"],
    [2, "b"],
  ]
    .sort()
    .map(([, l]) => l)
    .join(""),
  [5, 3, 8].map((n, _, all) => all.filter((m) => m < n).length),
);
console.log(
  Array.from({ length: 5 }, (_, i) => i ** 2)
    .filter((n) => n % 2 === 0)
    .reduceRight((text, n) => `${text}${n};`, ""),
  [[1, [2]], [3]].flat().length,
  Array.isArray([].concat([[]])[0]),
);
const longest = ["a", "abc", "ab"].reduce((best, word) => (word.length > best.length ? word : best), "");
console.log(
  longest,
  ["b", "a"].concat("c", ["d"]).toString(),
  [0, -1, 5].toSorted().toString(),
  [3, 2, 1].copyWithin(0, 1),
  Array(3)
    .fill(null)
    .map((_, i) => String.fromCharCode(97 + i)),
  [1, 2, 3].indexOf("2"),
);
