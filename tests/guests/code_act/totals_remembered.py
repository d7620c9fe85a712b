# What every user has to pay, asking for each rate once.
from functools import cache

rate_of_tier = cache(lambda tier: tools.shop.get_discount_rate(tier=tier))
rate_of_region = cache(lambda region: tools.shop.get_tax_rate(region=region))
totals = {}
for user in tools.shop.list_users():
    rates = {"discount": rate_of_tier(user["tier"]), "tax": rate_of_region(user["region"])}
    orders = tools.shop.get_orders_for_user(user_id=user["id"])
    totals[user["name"]] = round(sum(tools.shop.compute_line_total(**order, **rates) for order in orders), 2)
result = sorted(totals.items(), key=lambda entry: -entry[1])
