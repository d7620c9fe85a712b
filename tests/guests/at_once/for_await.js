// Results are used in the order of the calls, which are made all at once; a generator reads pages behind them.
const calls = ["A-1", "C-3", "D-4"].map((sku) => tools.inventory.get({ sku }));
const free = [];
for await (const { sku, on_hand, reserved } of calls) free.push(`${sku} ${on_hand - reserved}`);

async function* pages() {
  for (let page = 1; page; ) {
    const { orders, next } = await tools.orders.list({ page });
    yield orders;
    page = next;
  }
}
const cents = [];
for await (const orders of pages()) for (const order of orders) cents.push(order.cents);
result = { free, cents };
