// Functions that call themselves.
const factorial = (n) => (n <= 1 ? 1 : n * factorial(n - 1));
const ackermann = (m, n) => (m === 0 ? n + 1 : n === 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)));
console.log(factorial(20), factorial(170), ackermann(2, 3));
const fib = (n, known = {}) => (n in known ? known[n] : (known[n] = n < 2 ? n : fib(n - 1, known) + fib(n - 2, known)));
console.log(fib(90));
const permutations = (items) =>
  items.length
    ? items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
    : [[]];
console.log(
  permutations([1, 2, 3])
    .map((each) => each.join(""))
    .join(" "),
);
const combinations = (items, size) =>
  size === 0
    ? [[]]
    : items.flatMap((item, at) => combinations(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]));
console.log(
  combinations(["a", "b", "c", "d"], 2)
    .map((each) => each.join(""))
    .join(" "),
);
const subsets = ([first, ...rest]) =>
  first === undefined ? [[]] : subsets(rest).flatMap((set) => [set, [first, ...set]]);
console.log(subsets([1, 2, 3]).length, JSON.stringify(subsets([1, 2])));
function* hanoi(disks, from = "A", to = "C", via = "B") {
  if (disks === 0) return;
  yield* hanoi(disks - 1, from, via, to);
  yield from + to;
  yield* hanoi(disks - 1, via, to, from);
}
console.log([...hanoi(3)].join(" "), [...hanoi(8)].length);
const flatten = (value) => (Array.isArray(value) ? value.flatMap(flatten) : [value]);
console.log(flatten([1, [2, [3, [4, [5]]]]]));
function queens(size, placed = []) {
  if (placed.length === size) return [placed];
  return Array.from({ length: size }, (_, column) => column)
    .filter((column) =>
      placed.every((other, row) => other !== column && Math.abs(other - column) !== placed.length - row),
    )
    .flatMap((column) => queens(size, [...placed, column]));
}
console.log(
  queens(6).map((each) => each.join("")),
  queens(4).length,
  queens(8).length,
);
const isEven = (n) => (n === 0 ? true : isOdd(n - 1));
const isOdd = (n) => (n === 0 ? false : isEven(n - 1));
console.log(isEven(100), isOdd(77));
const depth = (n) => (n === 0 ? 0 : 1 + depth(n - 1));
console.log(depth(700));
function overflow() {
  return overflow() + 1;
}
try {
  overflow();
} catch (error) {
  console.log(error.constructor.name);
}
const power = (base, exponent) =>
  exponent === 0 ? 1 : exponent % 2 ? base * power(base, exponent - 1) : power(base * base, exponent / 2);
console.log(power(2, 50), power(3, 13));
const change = (amount, coins) =>
  amount === 0
    ? 1
    : amount < 0 || !coins.length
      ? 0
      : change(amount - coins[0], coins) + change(amount, coins.slice(1));
console.log(change(100, [50, 25, 10, 5, 1]));
