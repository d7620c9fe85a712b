// Functions that remember where they were made.
function counter(start = 0) {
  let count = start;
  return {
    increment: () => ++count,
    decrement: () => --count,
    get value() {
      return count;
    },
  };
}
const first = counter();
const second = counter(10);
first.increment();
first.increment();
second.decrement();
console.log(first.value, second.value);

const byLet = [];
for (let index = 0; index < 3; index++) byLet.push(() => index);
console.log(byLet.map((get) => get()));

const byVar = [];
for (var shared = 0; shared < 3; shared++) byVar.push(() => shared);
console.log(byVar.map((get) => get()));

const adders = [1, 2, 3].map((left) => (right) => left + right);
console.log(adders.map((add) => add(10)));

const once = (action) => {
  let done = false;
  let outcome;
  return (...values) => {
    if (!done) {
      done = true;
      outcome = action(...values);
    }
    return outcome;
  };
};
const greet = once((name) => `hello ${name}`);
console.log(greet("Ada"), greet("Grace"));

const memoise =
  (action, known = new Map()) =>
  (key) => {
    if (!known.has(key)) known.set(key, action(key));
    return known.get(key);
  };
let calls = 0;
const square = memoise((value) => (calls++, value * value));
console.log(square(4), square(4), square(5), calls);

function outer() {
  const depth = [];
  function inner(level) {
    depth.push(level);
    if (level < 4) inner(level + 1);
    return depth;
  }
  return inner(0);
}
console.log(outer());
(function immediately(text) {
  console.log(text, typeof immediately);
})("at once");
console.log(typeof immediately);
