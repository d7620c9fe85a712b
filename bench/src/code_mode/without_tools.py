# The shop as code of the program, so that the time difference is that of the calls.
class tools:
    class shop:
        users = [
            ("Alice", "gold", "US", [(1, 55.97)]),
            ("Bob", "bronze", "EU", [(1, 8.45)]),
            ("Charlie", "silver", "US", [(2, 4.5), (1, 42.53)]),
            ("Diana", "gold", "EU", [(2, 4.5), (3, 32.95)]),
            ("Evan", "bronze", "JP", [(1, 20.83)]),
            ("Fiona", "silver", "EU", [(2, 16.85)]),
            ("George", "gold", "JP", [(2, 4.5), (3, 16.99)]),
            ("Hana", "bronze", "US", [(1, 10.09)]),
        ]

        def list_users():
            users = enumerate(tools.shop.users)
            return [{"id": id, "name": name, "tier": tier, "region": region} for id, (name, tier, region, _) in users]

        def get_orders_for_user(user_id):
            return [{"quantity": quantity, "price": price} for quantity, price in tools.shop.users[user_id][3]]

        def get_discount_rate(tier):
            return {"gold": 0.2, "silver": 0.1, "bronze": 0.05}[tier]

        def get_tax_rate(region):
            return {"EU": 0.21, "US": 0.08, "JP": 0.1}[region]

        def compute_line_total(quantity, price, discount, tax):
            return round(quantity * price * (1 - discount) * (1 + tax), 2)


