# Principal components by the singular values of the centred data.
import numpy as np
import pandas as pd

rng = np.random.default_rng(21)
factors = rng.normal(size=(150, 2))
data = factors @ np.array([[2.0, 1.0, 0.5, 0.0], [0.0, 1.0, -1.0, 3.0]]) + rng.normal(scale=0.1, size=(150, 4))
frame = pd.DataFrame(data, columns=list("abcd"))
centred = frame - frame.mean()
left, singular, right = np.linalg.svd(centred, full_matrices=False)
share = singular**2 / (singular**2).sum()
print(share.round(6), share.cumsum().round(6))
signs = np.sign(right[np.arange(4), np.abs(right).argmax(axis=1)])
print((right * signs[:, None]).round(5))
values, vectors = np.linalg.eigh(np.cov(centred.T))
print(values[::-1].round(5), np.allclose(values[::-1], singular**2 / 149))
scores = centred.to_numpy() @ (right * signs[:, None]).T
print(np.abs(np.corrcoef(scores.T)).round(6).tolist()[0], np.linalg.matrix_rank(data - data.mean(0), tol=3.0))
print(np.abs(left.T @ left - np.eye(4)).max() < 1e-12, round(float(np.linalg.cond(data)), 4))
