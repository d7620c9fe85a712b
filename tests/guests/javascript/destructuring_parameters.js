// Options objects, named and defaulted.
function connect(
  { host = "localhost", port = 80, tls: { enabled = false, ...tls } = {}, ...options } = {},
  callback = () => `${host}:${port}`,
) {
  return [callback(), enabled, tls, options];
}
console.log(
  connect(),
  connect({ port: 443, tls: { enabled: true, version: 3 }, retry: 2 }),
  connect({}, () => "custom"),
);
const area = ({ shape, ...sizes }) =>
  ({ circle: ({ r }) => +(Math.PI * r * r).toFixed(2), square: ({ side }) => side ** 2 })[shape]?.(sizes) ?? null;
console.log([{ shape: "circle", r: 2 }, { shape: "square", side: 3 }, { shape: "blob" }].map(area));
const first = ([head, ...tail]) => ({ head, tail });
console.log(first([1, 2, 3]), first("ab"), first(new Set([9])));
const swap = ([a, b] = [1, 2], { x = a, y = b } = {}) => [y, x, b, a];
console.log(swap(), swap([3, 4]), swap(undefined, { x: 9 }));
function variadic(first, ...[second, ...others]) {
  return [first, second, others];
}
console.log(variadic(1, 2, 3, 4), connect.length);
const pick = (object, ...keys) =>
  Object.fromEntries(keys.filter((key) => key in object).map((key) => [key, object[key]]));
const omit = (object, ...keys) => Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
console.log(pick({ a: 1, b: 2, c: 3 }, "a", "c", "z"), omit({ a: 1, b: 2 }, "a"));
const rename = ({ old: fresh, ...rest }) => ({ fresh, ...rest });
console.log(rename({ old: 1, kept: 2 }));
const users = [{ name: "Ada", address: { city: "London", geo: [51, 0] } }, { name: "Bob" }];
for (const { name, address: { city = "nowhere", geo: [latitude = "?"] = [] } = {} } of users)
  console.log(name, city, latitude);
const { a, b: { c: [, second] = [] } = {}, ...rest } = { a: 1, b: { c: [1, 2] }, d: 4, e: 5 };
console.log(a, second, rest);
console.log(
  users.map(({ name: { length }, name }) => `${name}:${length}`),
  Object.entries({ k: { v: 1 } }).map(([key, { v }]) => key + v),
);
let x, y;
({ x, y = x } = { x: 5 });
[x, y] = [y + 1, x];
console.log(x, y, (({ length }) => length)("four"), ((...values) => values.at(-1))(1, 2, 3));
try {
  (({ required: { deep } }) => deep)({});
} catch (error) {
  console.log(error.constructor.name);
}
