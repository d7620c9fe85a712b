# Rows chosen by expressions, masks and labels.
import pandas as pd

cars = pd.DataFrame({
    "make": ["vw", "bmw", "fiat", "vw", "kia", "bmw"], "hp": [90, 190, 70, 150, 100, 340], "price": [19, 45, 14, 33, 21, 90],
    "electric": [False, False, False, True, True, False],
}).set_index(pd.Index(list("uvwxyz"), name="key"))
limit = 30
print(cars.query("hp > 80 and price <= @limit"), cars.query("make in ['vw', 'kia'] and not electric"))
print(cars[(cars["hp"] > 100) | cars["electric"]].index.tolist(), cars.loc["w":"y", ["make", "hp"]])
print(cars.eval("ratio = price / hp").round(4), cars.eval("hp + price").sum())
print(cars.iloc[-2:, :2], cars.iloc[[0, 2], [1]].values.tolist(), cars.at["v", "hp"], cars.iat[0, 0])
print(cars[cars["make"].isin(["bmw"])].assign(fast=lambda frame: frame["hp"] > 200)["fast"].to_dict())
print(cars.mask(cars["hp"] > 300).loc["z"].isna().all(), cars["price"].between(20, 40).sum(), cars.loc[lambda f: f.hp.idxmax(), "make"])
for bad in ("nothing > 1", "hp >"):
    try:
        cars.query(bad)
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])
cars.loc[cars["make"] == "vw", "price"] *= 2
print(cars["price"].tolist(), cars.drop(columns="electric").drop(index="u").shape)
