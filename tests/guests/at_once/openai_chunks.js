// Orders in chunks of four; the second chunk begins when the first one is complete.
const ids = [1, 2, 3, 4, 5, 6, 7, 9];
const found = [];
for (let start = 0; start < ids.length; start += 4) {
  const chunk = ids.slice(start, start + 4);
  const orders = await Promise.all(chunk.map((id) => tools.orders_get({ id }).catch(() => null)));
  found.push(...orders.filter(Boolean).map(({ id }) => id));
}
text(`${found.length} of ${ids.length}: ${found}`);
