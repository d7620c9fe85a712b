// Sorting by hand.
const numbers = [38, 27, 43, 3, 9, 82, 10, -5, 0, 27];
const quick = ([pivot, ...rest]) =>
  pivot === undefined ? [] : [...quick(rest.filter((x) => x < pivot)), pivot, ...quick(rest.filter((x) => x >= pivot))];
function merge(list) {
  if (list.length < 2) return list;
  const middle = list.length >> 1;
  const [left, right] = [merge(list.slice(0, middle)), merge(list.slice(middle))];
  const merged = [];
  while (left.length && right.length) merged.push(left[0] <= right[0] ? left.shift() : right.shift());
  return [...merged, ...left, ...right];
}
function insertion(source) {
  const list = [...source];
  for (let i = 1; i < list.length; i++) {
    const value = list[i];
    let j = i - 1;
    for (; j >= 0 && list[j] > value; j--) list[j + 1] = list[j];
    list[j + 1] = value;
  }
  return list;
}
function heap(source) {
  const list = [...source];
  const sift = (root, end) => {
    for (let child; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && list[child + 1] > list[child]) child++;
      if (list[root] >= list[child]) return;
      [list[root], list[child]] = [list[child], list[root]];
    }
  };
  for (let i = list.length >> 1; i-- > 0;) sift(i, list.length);
  for (let end = list.length; --end > 0;) {
    [list[0], list[end]] = [list[end], list[0]];
    sift(0, end);
  }
  return list;
}
const counting = (list) => {
  const low = Math.min(...list);
  const counts = [];
  for (const x of list) counts[x - low] = (counts[x - low] ?? 0) + 1;
  return counts.flatMap((count, index) => Array(count).fill(index + low));
};
for (const sort of [quick, merge, insertion, heap, counting]) console.log(sort.name, sort(numbers).join(" "));
let state = 42;
const random = () => (state = (state * 1103515245 + 12345) % 2147483648);
const many = Array.from({ length: 2000 }, () => random() % 1000);
const expected = [...many].sort((a, b) => a - b).join();
console.log([merge, insertion, heap, counting].every((sort) => sort(many).join() === expected));
const people = [
  { n: "Cid", a: 30 },
  { n: "Ann", a: 25 },
  { n: "Bob", a: 30 },
];
const by =
  (...keys) =>
  (x, y) =>
    keys.reduce((order, key) => order || (x[key] < y[key] ? -1 : x[key] > y[key] ? 1 : 0), 0);
console.log(
  people.toSorted(by("a", "n")).map(({ n }) => n),
  people.toSorted(by("n")).map(({ n }) => n),
);
