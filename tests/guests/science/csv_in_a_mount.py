# A CSV file with mixed types: its columns, what is missing, and a summary.
import pandas as pd

with open("/output/orders.csv", "w") as file:
    file.write("id,customer,amount,date,paid\n")
    for number in range(120):
        amount = "" if number % 17 == 0 else f"{(number * 73 % 997) / 7:.2f}"
        file.write(f"{number},C{number % 9},{amount},2024-{number % 12 + 1:02}-{number % 28 + 1:02},{number % 3 == 0}\n")

orders = pd.read_csv("/output/orders.csv", parse_dates=["date"])
print(orders.head())
print(orders.dtypes)
print(orders.isna().sum())
print(orders.describe())
print(orders["amount"].sum().round(2), orders["paid"].mean(), orders["date"].min(), orders["date"].max())
orders.dropna().to_csv("/output/clean.csv", index=False)
print(pd.read_csv("/output/clean.csv").shape, pd.read_csv("/output/clean.csv", nrows=2, usecols=["id", "amount"]))
for chunk in pd.read_csv("/output/clean.csv", chunksize=50):
    print(len(chunk), round(chunk["amount"].sum(), 2))
