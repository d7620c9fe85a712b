// Pages behind cursors, while the orders of the last page are looked up.
const quantities = {};
let page = tools.orders_list({ page: 1 });
while (page) {
  const { orders, next } = await page;
  page = next ? tools.orders_list({ page: next }) : null;
  const details = await Promise.all(orders.map(({ id }) => tools.orders_get({ id })));
  for (const { lines } of details) for (const { sku, quantity } of lines) quantities[sku] = (quantities[sku] ?? 0) + quantity;
}
text(quantities);
