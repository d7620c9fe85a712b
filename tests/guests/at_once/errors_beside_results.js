// What fails in a group is counted; what works is used.
const skus = ["A-1", "Z-9", "B-2", "Y-8"];
const outcomes = await Promise.allSettled(skus.map((sku) => tools.inventory.get({ sku })));
const available = {};
const failed = [];
for (const { status, value, reason } of outcomes) {
  if (status === "fulfilled") available[value.sku] = value.on_hand - value.reserved;
  else failed.push(reason.message.split(": ").at(-1));
}
result = { available, failed };
