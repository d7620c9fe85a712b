// Keeps intermediate results by name, reports progress, and continues with them.
notify("reading stock");
const stock = await Promise.all(["A-1", "D-4"].map((sku) => tools.inventory_get({ sku })));
store("stock", stock);
await yield_control();
notify("reading prices");
const prices = await Promise.all(load("stock").map(({ sku }) => tools.prices_get({ sku })));
text(load("stock").reduce((sum, { on_hand }, index) => sum + on_hand * prices[index].cents, 0));
