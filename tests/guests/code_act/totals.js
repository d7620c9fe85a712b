// What every user has to pay, asking for each rate anew.
const { shop } = tools;
const totals = [];
for (const user of shop.list_users()) {
  const orders = shop.get_orders_for_user({ user_id: user.id });
  const discount = shop.get_discount_rate({ tier: user.tier });
  const tax = shop.get_tax_rate({ region: user.region });
  const lines = orders.map(({ quantity, price }) => shop.compute_line_total({ quantity, price, discount, tax }));
  totals.push([user.name, Math.round(lines.reduce((sum, line) => sum + line, 0) * 100) / 100]);
}
result = totals.sort((left, right) => right[1] - left[1]);
