# A simulation of stock with random demand, repeated with the same seed.
import numpy as np
import pandas as pd


def simulate(seed, days=365, order_at=40, order_size=100):
    rng = np.random.default_rng(seed)
    stock, arriving, lost, rows = 100, {}, 0, []
    for day in range(days):
        stock += arriving.pop(day, 0)
        demand = int(rng.poisson(12))
        sold = min(stock, demand)
        lost += demand - sold
        stock -= sold
        if stock <= order_at and not arriving:
            arriving[day + int(rng.integers(2, 6))] = order_size
        rows.append((day, demand, sold, stock))
    return pd.DataFrame(rows, columns=["day", "demand", "sold", "stock"]), lost


table, lost = simulate(7)
print(table.describe().loc[["mean", "std", "max"]].round(4), lost)
print(table.equals(simulate(7)[0]), table.equals(simulate(8)[0]))
print(table.groupby(pd.cut(table["day"], [-1, 90, 181, 272, 365]))["sold"].sum().tolist())
results = pd.Series({order: simulate(3, order_at=order)[1] for order in (20, 40, 60, 80)}, name="lost")
print(results, results.idxmin(), (table["stock"] == 0).sum())
generator = np.random.Generator(np.random.PCG64(5))
print(generator.exponential(size=3), generator.binomial(10, 0.3, 5), generator.gamma(2.0, size=2), generator.beta(1, 2), generator.choice(5, 3, replace=False))
