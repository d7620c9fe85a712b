// Which SKUs can be sold, with what could not be found.
const skus = ["D-4", "B-2", "X-0"];
const results = await Promise.allSettled(skus.map(async (sku) => await tools.inventory_get({ sku })));
const sellable = [];
const problems = [];
results.forEach((result, index) => {
  if (result.status === "rejected") problems.push(skus[index]);
  else if (result.value.on_hand > result.value.reserved) sellable.push(result.value.sku);
});
text(`sellable: ${sellable.join(", ")}`);
text({ problems });
