// Three workers take orders from a queue until it is empty.
const queue = [1, 2, 3, 4, 5, 6, 7];
const found = {};

async function worker() {
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    const order = await tools.orders.get({ id });
    found[id] = order.lines[0].sku;
  }
}

await Promise.all([worker(), worker(), worker()]);
result = found;
