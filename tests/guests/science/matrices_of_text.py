# Arrays of text and of records.
import numpy as np

names = np.array(["Ada", "Grace", "alan", "Edsger"])
print(np.strings.upper(names), np.strings.str_len(names), np.sort(names), names.dtype)
print(np.strings.replace(names, "a", "4"), np.strings.startswith(names, "A"), np.char.add(names, "!"))
print(np.strings.find(names, "a"), np.strings.multiply(names, 2)[:2], np.strings.zfill(np.array(["7", "42"]), 4))
people = np.array([("Ada", 36, 1.65), ("Grace", 85, 1.68), ("Alan", 41, 1.77)], dtype=[("name", "U10"), ("age", "i4"), ("height", "f8")])
print(people["age"].mean(), np.sort(people, order="age")["name"], people[people["height"] > 1.66]["name"])
print(people.dtype, people.itemsize, people[0], people.tolist()[1])
words = np.array(["b", "a", "c"], dtype=np.dtypes.StringDType())
print(np.sort(words), words + "x", (words == "a").tolist())
print(np.unique(np.array(["x", "y", "x"]), return_counts=True))
