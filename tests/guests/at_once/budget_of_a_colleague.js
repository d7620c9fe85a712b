// While two calls are pending, a colleague uses up the budget that all share: they complete, and later ones are refused.
const [first, second, task] = await Promise.all([
  tools.prices.get({ sku: "A-1" }),
  tools.prices.get({ sku: "B-2" }),
  tools.team.delegate({ task: "count the stock" }),
]);
const outcomes = await Promise.allSettled([tools.orders.place({ sku: "A-1", quantity: 1 }), tools.log.write({ line: "x" })]);
result = [first.cents + second.cents, task.done, ...outcomes.map(({ reason }) => reason.kind)];
