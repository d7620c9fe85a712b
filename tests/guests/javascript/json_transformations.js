// Data as models reshape it.
const orders = JSON.parse(`[
  {"id": 1, "customer": {"name": "Ada", "vip": true}, "items": [{"sku": "A1", "price": 9.99, "quantity": 2}, {"sku": "B2", "price": 4.5, "quantity": 1}], "placed": "2024-03-01T10:00:00Z"},
  {"id": 2, "customer": {"name": "Bob", "vip": false}, "items": [{"sku": "A1", "price": 9.99, "quantity": 1}], "placed": "2024-03-02T11:30:00Z", "note": null},
  {"id": 3, "customer": {"name": "Ada", "vip": true}, "items": [], "placed": "2024-04-05T09:15:00Z"}
]`);
const total = ({ items }) => items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
const report = orders.map((order) => ({
  id: order.id,
  customer: order.customer.name,
  total: +total(order).toFixed(2),
  month: order.placed.slice(0, 7),
  empty: order.items.length === 0,
}));
console.log(report);
const byCustomer = Object.entries(
  orders.reduce(
    (groups, order) => ({ ...groups, [order.customer.name]: [...(groups[order.customer.name] ?? []), order] }),
    {},
  ),
).map(([name, list]) => ({
  name,
  orders: list.length,
  spent: list.reduce((sum, order) => sum + total(order), 0).toFixed(2),
}));
console.log(JSON.stringify(byCustomer, null, 2));
const bestsellers = orders
  .flatMap(({ items }) => items)
  .reduce((map, { sku, quantity }) => map.set(sku, (map.get(sku) ?? 0) + quantity), new Map());
console.log(
  [...bestsellers].sort(([, a], [, b]) => b - a),
  Object.fromEntries(bestsellers),
);
const flatten = (value, prefix = "") =>
  Object.entries(value ?? {}).flatMap(([key, each]) =>
    each && typeof each === "object" ? flatten(each, `${prefix}${key}.`) : [[prefix + key, each]],
  );
console.log(Object.fromEntries(flatten(orders[0])));
const unflatten = (pairs) =>
  pairs.reduce((whole, [path, value]) => {
    const keys = path.split(".");
    keys.slice(0, -1).reduce((at, key, i) => (at[key] ??= /^\d+$/.test(keys[i + 1]) ? [] : {}), whole)[keys.at(-1)] =
      value;
    return whole;
  }, {});
console.log(
  JSON.stringify(unflatten(flatten(orders[1]))) === JSON.stringify(orders[1]),
  unflatten([
    ["a.0.b", 1],
    ["a.1.b", 2],
  ]),
);
const difference = (before, after) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => ({ key, before: before[key], after: after[key] }));
console.log(difference({ a: 1, b: [1], c: "x" }, { a: 1, b: [2], d: null }));
const months = [...new Set(report.map(({ month }) => month))].map((month) => [
  month,
  report.filter((row) => row.month === month).length,
]);
console.log(
  months,
  report.every(({ id }) => id > 0),
  Math.max(...report.map((row) => row.total)),
  report.find(({ empty }) => empty)?.id,
);
const revive = (key, value) => (key === "placed" ? new Date(value) : value);
const dated = JSON.parse(JSON.stringify(orders), revive);
console.log(
  dated[0].placed.getUTCHours(),
  ((dated[2].placed - dated[0].placed) / 86400000) | 0,
  JSON.stringify(dated[1].placed),
);
const safe = JSON.stringify({ password: "secret", user: { token: "t", name: "n" } }, (key, value) =>
  ["password", "token"].includes(key) ? "***" : value,
);
console.log(
  safe,
  JSON.stringify([new Map([[1, 2]])], (key, value) => (value instanceof Map ? Object.fromEntries(value) : value)),
  JSON.stringify({ set: [...new Set([1, 1, 2])] }),
);
const paginate = (list, page, size) => ({
  items: list.slice((page - 1) * size, page * size),
  pages: Math.ceil(list.length / size),
});
console.log(paginate([1, 2, 3, 4, 5], 2, 2), paginate([], 1, 10));
