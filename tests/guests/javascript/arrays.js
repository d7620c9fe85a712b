// Methods of arrays.
const list = [5, 1, 4];
console.log(list.toSorted(), list.toReversed(), list.with(1, 9), list.toSpliced(1, 1, "x", "y"), list);
console.log(
  list.at(-1),
  list.indexOf(4),
  list.includes(1),
  list.find((x) => x > 4),
  list.findIndex((x) => x < 2),
  list.findLast((x) => x > 3),
  list.findLastIndex((x) => x > 9),
);
console.log(
  [3, 1, 10, 2].sort(),
  [3, 1, 10, 2].sort((a, b) => a - b),
  ["b", undefined, "a"].sort(),
  [1, 2, 3].reverse(),
);
console.log(
  [1, [2, [3, [4]]]].flat(),
  [1, [2, [3, [4]]]].flat(Infinity),
  [1, 2].flatMap((x) => [x, x * 10]),
  [[1], [2]].flat(0),
);
console.log(
  [1, 2, 3, 4].reduce((sum, x) => sum + x),
  ["a", "b"].reduceRight((text, x) => text + x, ">"),
  [1, 2, 3].map(String),
  ["1", "2", "3"].map(Number),
  ["1", "2", "3"].map(parseInt),
);
console.log(
  [1, 2, 3].every((x) => x > 0),
  [1, 2, 3].some((x) => x > 2),
  [].every(() => false),
  [1, 2, 3, 4].filter((x) => x % 2),
);
const changing = [1, 2, 3, 4, 5];
console.log(
  changing.push(6, 7),
  changing.pop(),
  changing.shift(),
  changing.unshift(0),
  changing.splice(1, 2),
  changing,
  changing.splice(-1),
  changing.fill(9, 1, 2),
  changing.copyWithin(0, 1),
  changing.length,
);
console.log(
  [1, 2, 3].join("-"),
  [null, undefined, 1, [2, 3]].join(),
  [1, 2, 3].slice(-2),
  [1].concat(2, [3], [[4]]),
  [1, 2, 3].lastIndexOf(3),
  [..."ab"].entries().next(),
);
console.log(
  Array.from({ length: 3 }, (_, i) => i * i),
  Array.of(7),
  Array(3),
  new Array(2, 3),
  Array.isArray([]),
  Array.from("abc"),
  Array.from(new Map([[1, 2]])),
  Array.from(
    [1, 2],
    function (x) {
      return x * this.by;
    },
    { by: 3 },
  ),
);
const sparse = [1, , 3];
console.log(
  sparse,
  sparse.length,
  1 in sparse,
  sparse.map((x) => x * 2),
  Object.keys(sparse),
  [...sparse],
  sparse.forEach((x) => x),
  [, ,].length,
);
const stable = [
  ["b", 1],
  ["a", 1],
  ["c", 0],
].sort((x, y) => x[1] - y[1]);
console.log(stable.map(([name]) => name).join(""));
const extended = [1, 2];
extended[5] = 6;
extended.extra = "e";
console.log(extended, extended.length);
extended.length = 1;
console.log(extended);
console.log([1, 2, 3].toString(), String([1, [2, 3]]), [] == "", [0] == false, [1, 2] == "1,2", [[]].length);
try {
  [].reduce((a, b) => a + b);
} catch (error) {
  console.log(error.constructor.name);
}
try {
  new Array(-1);
} catch (error) {
  console.log(error.constructor.name);
}
const people = [
  { n: "A", g: 1 },
  { n: "B", g: 2 },
  { n: "C", g: 1 },
];
console.log(people.reduce((groups, { n, g }) => ({ ...groups, [g]: [...(groups[g] ?? []), n] }), {}));
console.log(
  [3, 2, 1].sort() === undefined,
  Array.prototype.concat.call(1, 2).length,
  [].concat([1], 2),
  [1, 2, 3].keys().next(),
  Array.from({ length: 2, 0: "x" }),
);
