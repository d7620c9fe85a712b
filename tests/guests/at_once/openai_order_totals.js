// Totals of orders: the orders at the same time, then the prices of what is in them.
const orders = await Promise.all([1, 2, 3].map((id) => tools.orders_get({ id })));
const skus = [...new Set(orders.flatMap((order) => order.lines.map((line) => line.sku)))];
const prices = new Map(
  (await Promise.all(skus.map((sku) => tools.prices_get({ sku })))).map(({ sku, cents }) => [sku, cents]),
);
const totals = orders.map(({ id, lines }) => ({
  id,
  cents: lines.reduce((sum, { sku, quantity }) => sum + quantity * prices.get(sku), 0),
}));
text(totals);
