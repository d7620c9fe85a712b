const totals = {};
for (const user of tools.shop.list_users()) {
  const discount = tools.shop.get_discount_rate({ tier: user.tier });
  const tax = tools.shop.get_tax_rate({ region: user.region });
  const lines = tools.shop
    .get_orders_for_user({ user_id: user.id })
    .map((order) => tools.shop.compute_line_total({ ...order, discount, tax }));
  totals[user.name] = Math.round(100 * lines.reduce((sum, line) => sum + line, 0)) / 100;
}
Object.entries(totals).sort((left, right) => right[1] - left[1]);
