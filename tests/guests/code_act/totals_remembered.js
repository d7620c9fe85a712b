// What every user has to pay, asking for each rate once.
const { shop } = tools;
const discounts = {};
const taxes = {};
const totals = [];
for (const { id, name, tier, region } of await shop.list_users()) {
  discounts[tier] ??= shop.get_discount_rate({ tier });
  taxes[region] ??= shop.get_tax_rate({ region });
  let total = 0;
  for (const order of shop.get_orders_for_user({ user_id: id }))
    total += shop.compute_line_total({ ...order, discount: discounts[tier], tax: taxes[region] });
  totals.push([name, Math.round(total * 100) / 100]);
}
result = totals.sort((left, right) => right[1] - left[1]);
