// The first page says how many there are; the others are read at the same time.
const first = await tools.orders.list({ page: 1 });
const others = [];
for (let page = 2; page <= first.pages; page++) others.push(tools.orders.list({ page }));
const orders = [first, ...(await Promise.all(others))].flatMap((page) => page.orders);
result = { orders: orders.length, cents: orders.reduce((sum, order) => sum + order.cents, 0) };
