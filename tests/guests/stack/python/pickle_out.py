# A list a hundred thousand deep, pickled. Ends in RecursionError or StackOverflow.
import pickle

deep = []
for _ in range(100_000):
    deep = [deep]
pickle.dumps(deep)
