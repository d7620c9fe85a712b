# What every user has to pay, asking for each rate anew.
from tools.shop import compute_line_total, get_discount_rate, get_orders_for_user, get_tax_rate, list_users

totals = {}
for user in list_users():
    orders = get_orders_for_user(user_id=user["id"])
    discount = get_discount_rate(tier=user["tier"])
    tax = get_tax_rate(region=user["region"])
    lines = [
        compute_line_total(quantity=order["quantity"], price=order["price"], discount=discount, tax=tax)
        for order in orders
    ]
    totals[user["name"]] = round(sum(lines), 2)
result = sorted(totals.items(), key=lambda entry: -entry[1])
