# A pool of threads, as in programs that were not written for asyncio.
from concurrent.futures import ThreadPoolExecutor, as_completed

cities = ["Oslo", "Lima", "Cairo"]
with ThreadPoolExecutor(max_workers=3) as pool:
    futures = {pool.submit(call_tool, "weather.forecast", {"city": city}): city for city in cities}
    warm = sorted(futures[future] for future in as_completed(futures) if future.result()["degrees"] > 10)
    stock = list(pool.map(tools.inventory.get, [{"sku": sku} for sku in ("A-1", "D-4")]))
result = [warm, [one["on_hand"] for one in stock]]
