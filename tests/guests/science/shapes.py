# Broadcasting, reshaping, stacking, fancy indexing and einsum.
import numpy as np

a = np.arange(24).reshape(2, 3, 4)
print(a.transpose(2, 0, 1).shape, a[:, 1, ::2], a[..., -1].tolist())
print((np.arange(3)[:, None] + np.arange(4)).tolist(), np.broadcast_shapes((5, 1, 4), (3, 1)))
print(np.concatenate([np.ones((2, 2)), np.zeros((1, 2))]).tolist(), np.stack([np.arange(3)] * 2, axis=1).tolist())
print(np.einsum("ijk,k->ij", a, np.arange(4)).tolist(), np.tensordot(a, a, axes=([0, 1, 2], [0, 1, 2])))
print(np.where(a % 5 == 0, a, -1)[1].tolist(), np.argwhere(a == 17).tolist(), np.array(np.nonzero(a > 21)).tolist())
b = np.zeros((3, 3), dtype=int)
b[np.diag_indices(3)] = [1, 2, 3]
b[np.triu_indices(3, 1)] = 9
print(b, np.rot90(b).tolist(), np.flip(b, 1).tolist(), np.roll(b, 1, axis=0).tolist())
print(np.pad([1, 2], (1, 2), constant_values=7), np.tile([1, 2], 3), np.split(np.arange(6), 3), np.meshgrid([1, 2], [3, 4]))
print(np.lexsort(([3, 1, 2], [1, 1, 0])), np.argsort([3, 1, 2], kind="stable"), np.partition([5, 3, 8, 1], 1)[:2])
print(np.array(np.unravel_index(17, (2, 3, 4))), np.ravel_multi_index((1, 1, 1), (2, 3, 4)), np.kron([1, 2], [1, 10]))
print(np.select([b > 5, b > 1], [1, 2], 0), np.clip(b, 1, 4), np.apply_along_axis(sum, 0, b), np.vectorize(lambda x: x * 2)(b[0]))
masked = np.ma.masked_greater(b, 5)
print(masked, masked.sum(), masked.mean().round(4))
print(np.cross([1, 0, 0], [0, 1, 0]), np.outer([1, 2], [3, 4]), np.trapezoid([1, 2, 3], dx=0.5), np.gradient([1.0, 4, 9]))
