# Mistakes that programs make, and what they are told.
import numpy as np

for work in (
    lambda: np.ones((2, 3)) @ np.ones((2, 3)),
    lambda: np.ones(3) + np.ones(4),
    lambda: np.arange(3)[5],
    lambda: np.arange(6).reshape(4, 2),
    lambda: np.array([1, 2]).astype("nonsense"),
    lambda: np.array([[1, 2], [3]]),
    lambda: np.concatenate([np.ones(2), np.ones((2, 2))]),
    lambda: np.array(["a", "b"]) + 1,
    lambda: bool(np.array([True, False])),
    lambda: np.linalg.inv(np.ones((2, 3))),
    lambda: np.array([1, 2, 3]).reshape(-1, 2),
    lambda: np.uint8(300),
    lambda: np.zeros(3, dtype=int).fill("x"),
    lambda: np.array([1.5]).view("i3"),
    lambda: np.random.default_rng(-1),
    lambda: np.load("/nowhere.npy"),
    lambda: np.no_such_function,
    lambda: np.einsum("ij,jk", np.ones((2, 3)), np.ones((2, 3))),
    lambda: int(np.array([1, 2])),
    lambda: np.array(3)[0],
):
    try:
        print("no error:", work())
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
