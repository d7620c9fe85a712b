# Dictionaries, lists, sets and tuples, and comprehensions over them.

from collections import defaultdict

orders = [
    {'id': n, 'customer': f'c{n * 7919 % 500}', 'items': [(n * k % 97, k) for k in range(1, 4)]}
    for n in range(40_000)
]
totals, seen = {}, defaultdict(set)
for order in orders:
    customer = order['customer']
    amount = sum(price * quantity for price, quantity in order['items'])
    totals[customer] = totals.get(customer, 0) + amount
    seen[customer].update(price for price, _ in order['items'])

by_id = {order['id']: order for order in orders if order['id'] % 2}
matrix = [[row * column for column in range(120)] for row in range(120)]
for _ in range(10):
    matrix = [list(column) for column in zip(*matrix)]
flat = [value for row in matrix for value in row if value % 3]
pairs = {(a % 50, b % 50) for a, b in zip(flat, reversed(flat))}

queue, visited = [0], set()
while queue:
    node = queue.pop()
    if node in visited:
        continue
    visited.add(node)
    queue.extend(neighbour for neighbour in (node * 2 + 1, node * 3 + 2, node - 5) if 0 <= neighbour < 60_000)

result = [sum(totals.values()), sum(map(len, seen.values())), len(by_id), len(flat), len(pairs), len(visited)]
