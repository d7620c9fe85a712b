# Answers of a survey as ordered categories.
import pandas as pd

scale = pd.CategoricalDtype(["poor", "fair", "good", "great"], ordered=True)
answers = pd.Series(["good", "poor", "great", "good", "fair", None, "good"], dtype=scale)
print(answers, answers.cat.codes.tolist(), answers.min(), answers.max())
print(answers.value_counts(sort=False), (answers >= "good").tolist())
print(answers.sort_values().tolist(), answers.cat.rename_categories(str.upper).tolist())
print(answers.cat.add_categories("n/a").fillna("n/a").value_counts().to_dict())
frame = pd.DataFrame({"answer": answers, "n": range(7)})
print(frame.groupby("answer", observed=False)["n"].sum())
print(pd.get_dummies(answers, dtype=int).sum().to_dict(), pd.factorize(answers)[0].tolist())
ages = pd.cut([3, 17, 25, 64, 80], [0, 12, 18, 65, 120], labels=["child", "teen", "adult", "senior"])
print(ages, ages.value_counts())
print(pd.qcut(range(10), 4).categories.tolist())
try:
    answers.iloc[0] = "awful"
except TypeError as error:
    print(error)
