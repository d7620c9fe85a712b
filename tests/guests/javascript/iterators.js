// The iteration protocol by hand.
class Range {
  constructor(from, to, step = 1) {
    Object.assign(this, { from, to, step });
  }
  [Symbol.iterator]() {
    let { from: at, to, step } = this;
    return {
      next: () => (at < to ? { value: ((at += step), at - step), done: false } : { value: undefined, done: true }),
      return(value) {
        console.log("closed");
        return { value, done: true };
      },
      [Symbol.iterator]() {
        return this;
      },
    };
  }
}
console.log(
  [...new Range(0, 5)],
  Math.max(...new Range(1, 4)),
  Array.from(new Range(0, 10, 3), (x) => x * x),
);
for (const value of new Range(0, 100)) if (value > 2) break;
const [a, b] = new Range(7, 100);
console.log(a, b);
console.log(
  new Map([
    ["x", 1],
    ["y", 2],
  ])
    .entries()
    .next(),
  new Set("aab").values().next(),
);
console.log([...[10, 20].entries()], [..."añ😀"], [...new Map([[1, "a"]]).keys()]);
console.log(Object.fromEntries(new Map([["k", 1]])), Object.entries({ p: 1, q: 2 }));
const zipped = (...sources) => {
  const iterators = sources.map((source) => source[Symbol.iterator]());
  return {
    [Symbol.iterator]: () => ({
      next() {
        const steps = iterators.map((iterator) => iterator.next());
        return steps.some((step) => step.done)
          ? { done: true }
          : { value: steps.map((step) => step.value), done: false };
      },
    }),
  };
};
console.log([...zipped([1, 2, 3], "ab", new Range(5, 9))]);
try {
  for (const value of { [Symbol.iterator]: () => ({ next: () => 5 }) }) console.log(value);
} catch (error) {
  console.log(error.constructor.name);
}
try {
  [...{}];
} catch (error) {
  console.log(error.constructor.name);
}
label: for (const x of [1, 2, 3]) {
  for (const y of [1, 2, 3]) {
    if (y === 2) continue label;
    if (x === 3) break label;
    console.log(x, y);
  }
}
for (const key in { one: 1, two: 2, 7: "seven", 3: "three" }) console.log(key);
for (const key in "ab") console.log(key);
for (const key in [5, 6]) console.log(typeof key, key);
