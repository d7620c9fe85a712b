# Conway's game of life, and filters over a picture, with shifted arrays.
import numpy as np

board = np.zeros((12, 12), dtype=np.uint8)
board[1:4, 1:4] = [[0, 1, 0], [0, 0, 1], [1, 1, 1]]
for _ in range(24):
    around = sum(np.roll(board, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0))
    board = ((around == 3) | ((board == 1) & (around == 2))).astype(np.uint8)
print("\n".join("".join(".#"[cell] for cell in row) for row in board), board.sum())
picture = (np.add.outer(np.arange(16), np.arange(16)) * 7 % 50).astype(float)
windows = np.lib.stride_tricks.sliding_window_view(picture, (3, 3))
kernel = np.array([[1, 0, -1], [2, 0, -2], [1, 0, -1]])
edges = (windows * kernel).sum(axis=(2, 3))
print(edges.shape, edges[0, :5], np.median(windows, axis=(2, 3))[5, :4], np.pad(picture, 1, mode="reflect")[0, :4])
print(np.kron(np.eye(2, dtype=int), [[1, 2]]), np.rot90(picture[:2, :2]), np.flip(picture[0, :3]), np.tril(np.ones((3, 3), int)))
