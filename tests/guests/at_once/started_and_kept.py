# Calls are started before other work, and their results are taken without an event loop.
stock = {sku: tools.inventory.get.start(sku=sku) for sku in ("A-1", "B-2", "D-4")}
price = tools.prices.get.start(sku="A-1")
total = sum(number * number for number in range(1000))
available = {sku: call.result()["on_hand"] for sku, call in stock.items()}
result = [total, available, price.result()["cents"], all(call.done() for call in stock.values())]
