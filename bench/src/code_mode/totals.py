totals = {}
for user in tools.shop.list_users():
    discount = tools.shop.get_discount_rate(tier=user["tier"])
    tax = tools.shop.get_tax_rate(region=user["region"])
    totals[user["name"]] = round(sum(
        tools.shop.compute_line_total(**order, discount=discount, tax=tax)
        for order in tools.shop.get_orders_for_user(user_id=user["id"])
    ), 2)
sorted(totals.items(), key=lambda entry: -entry[1])
