async () => {
  // Stock, then orders for what is short, then a line in the log: three waves.
  const stock = await Promise.all(["A-1", "B-2", "C-3"].map((sku) => codemode.inventory_get({ sku })));
  const short = stock.filter(({ on_hand, reserved }) => on_hand - reserved < 5);
  const placed = await Promise.all(short.map(({ sku }) => codemode.orders_place({ sku, quantity: 5 })));
  await codemode.log_write({ line: placed.map(({ sku }) => sku).join() });
  return placed.every((order) => order.placed) ? short.map(({ sku }) => sku) : "failed";
};
