// Things that are nearly arrays, and classes that are.
const like = { length: 3, 0: "a", 1: "b", 2: "c" };
console.log(
  Array.prototype.map.call(like, (x) => x.toUpperCase()),
  Array.prototype.join.call(like, "+"),
  Array.from(like),
  Array.prototype.slice.call("text", 1, 3),
);
class Stack extends Array {
  peek() {
    return this[this.length - 1];
  }
  static of(...items) {
    return super.of(...items);
  }
}
const stack = Stack.of(1, 2, 3);
stack.push(4);
console.log(
  stack,
  stack.peek(),
  stack.length,
  stack instanceof Array,
  Array.isArray(stack),
  stack.filter((x) => x > 2),
  stack.map(String).constructor.name,
);
stack.length = 0;
console.log(stack.peek(), stack);
function many() {
  return Array.prototype.slice.call(arguments, 1);
}
console.log(many(1, 2, 3));
const generic = { length: 0 };
Array.prototype.push.call(generic, "x", "y");
console.log(generic);
const matrix = Array.from({ length: 3 }, (_, row) => Array.from({ length: 3 }, (_, column) => row * 3 + column));
console.log(
  matrix,
  matrix[0].map((_, column) => matrix.map((row) => row[column])),
  matrix.flat().reduce((a, b) => a + b),
);
const chunk = (items, size) => (items.length ? [items.slice(0, size), ...chunk(items.slice(size), size)] : []);
console.log(chunk([1, 2, 3, 4, 5], 2));
const unique = (items) => [...new Set(items)];
console.log(unique([1, 2, 2, 3, 1]), unique("hello").join(""));
const zip = (...lists) => lists[0].map((_, index) => lists.map((list) => list[index]));
console.log(zip([1, 2], ["a", "b"]), Object.fromEntries(zip(["k1", "k2"], [1, 2])));
const shuffleless = [1, 2, 3]
  .map((value) => ({ value, key: (value * 7) % 5 }))
  .sort((a, b) => a.key - b.key)
  .map(({ value }) => value);
console.log(shuffleless);
console.log(
  Array(3)
    .fill()
    .map((_, i) => i),
  Array.apply(null, { length: 2 }).length,
  [...Array(2)].map(() => 0),
);
console.log(
  [10, 9, 1].sort().join(),
  ["B", "a", "C"].sort((x, y) => x.toLowerCase().localeCompare(y.toLowerCase())),
);
