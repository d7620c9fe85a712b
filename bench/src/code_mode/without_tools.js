// The shop as code of the program, so that the time difference is that of the calls.
const users = [
  ["Alice", "gold", "US", [[1, 55.97]]],
  ["Bob", "bronze", "EU", [[1, 8.45]]],
  ["Charlie", "silver", "US", [[2, 4.5], [1, 42.53]]],
  ["Diana", "gold", "EU", [[2, 4.5], [3, 32.95]]],
  ["Evan", "bronze", "JP", [[1, 20.83]]],
  ["Fiona", "silver", "EU", [[2, 16.85]]],
  ["George", "gold", "JP", [[2, 4.5], [3, 16.99]]],
  ["Hana", "bronze", "US", [[1, 10.09]]],
];
const shop = {
  list_users: () => users.map(([name, tier, region], id) => ({ id, name, tier, region })),
  get_orders_for_user: ({ user_id }) => users[user_id][3].map(([quantity, price]) => ({ quantity, price })),
  get_discount_rate: ({ tier }) => ({ gold: 0.2, silver: 0.1, bronze: 0.05 })[tier],
  get_tax_rate: ({ region }) => ({ EU: 0.21, US: 0.08, JP: 0.1 })[region],
  compute_line_total: ({ quantity, price, discount, tax }) =>
    Math.round(100 * quantity * price * (1 - discount) * (1 + tax)) / 100,
};
globalThis.tools = { shop };
