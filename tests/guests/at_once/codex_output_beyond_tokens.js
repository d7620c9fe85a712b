// @exec: {"max_output_tokens": 10}
// All calls are made although the output is cut.
const stock = await Promise.all(["A-1", "B-2", "C-3"].map((sku) => tools.inventory_get({ sku })));
for (const one of stock) text(one);
result = stock.length;
