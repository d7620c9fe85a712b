# Systems of equations, decompositions, and a singular matrix.
import numpy as np

a = np.array([[4.0, -2, 1], [-2, 4, -2], [1, -2, 4]])
b = np.array([11.0, -16, 17])
print(np.round(np.linalg.solve(a, b), 9))
print(np.round(np.linalg.inv(a), 6))
print(round(float(np.linalg.det(a)), 6), np.linalg.matrix_rank(a), round(float(np.linalg.cond(a)), 6))
values, vectors = np.linalg.eigh(a)
print(np.round(values, 6))
print(np.allclose(vectors @ np.diag(values) @ vectors.T, a))
u, s, vt = np.linalg.svd(np.arange(12.0).reshape(4, 3))
print(np.round(s, 6), u.shape, vt.shape)
q, r = np.linalg.qr(a)
print(np.allclose(q @ r, a), np.allclose(q.T @ q, np.eye(3)))
print(np.round(np.linalg.cholesky(a), 6))
print(np.round(np.linalg.eigvals(np.array([[0.0, 1], [-1, 0]])), 6))
try:
    np.linalg.inv(np.array([[1.0, 2], [2, 4]]))
except np.linalg.LinAlgError as error:
    print(type(error).__name__, error)
try:
    np.linalg.solve(np.zeros((2, 2)), np.ones(2))
except np.linalg.LinAlgError as error:
    print(type(error).__name__, error)
try:
    np.linalg.cholesky(np.array([[1.0, 2], [2, 1]]))
except np.linalg.LinAlgError as error:
    print(type(error).__name__, error)
print(np.linalg.norm(a), np.trace(a), np.linalg.matrix_power(np.array([[1, 1], [1, 0]]), 50))
