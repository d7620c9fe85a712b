// Taking things apart.
const [a, , b = "default", ...rest] = [1, 2, undefined, 4, 5];
console.log(a, b, rest);
const {
  x,
  y: { z = 3, ...inner } = {},
  ["comp" + "uted"]: c = "none",
  ...others
} = { x: 1, y: { p: 1, q: 2 }, m: 1, n: 2 };
console.log(x, z, inner, c, others);
let left = 1;
let right = 2;
[left, right] = [right, left];
console.log(left, right);
const target = {};
({
  value: target.deep,
  list: [target.first, ...target.tail],
} = { value: 7, list: [1, 2, 3] });
console.log(target);
const describe = ({ name, age = 0, tags: [main = "none"] = [] } = {}) => `${name} ${age} ${main}`;
console.log(describe({ name: "Ada", tags: ["maths"] }), describe());
for (const [key, { count }] of Object.entries({ a: { count: 1 }, b: { count: 2 } })) console.log(key, count);
for (const { length } of ["one", "three"]) console.log(length);
const [first, second] = "héllo";
console.log(first, second);
const { length, [length - 1]: last } = "word";
console.log(length, last);
const [[deep] = [9]] = [];
console.log(deep);
const { a: aliased = 5 } = { a: null };
console.log(aliased);
try {
  const { missing } = null;
  console.log(missing);
} catch (error) {
  console.log(error.constructor.name);
}
const map = new Map([["k", [1, 2]]]);
for (const [key, [one, two]] of map) console.log(key, one + two);
function swap([p, q]) {
  return [q, p];
}
console.log(swap(swap(["p", "q"])));
const order = [];
const { [(order.push("key"), "k")]: value = (order.push("default"), 1) } = {};
console.log(order, value);
console.log((({ a, b }) => a + b)({ a: 1, b: 2 }));
let e, f;
console.log(([e, f] = [1, 2, 3]), e, f);
