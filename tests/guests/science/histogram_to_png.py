# A histogram drawn as a picture, written as PNG without a library, and read again.
import struct
import zlib

import numpy as np

rng = np.random.default_rng(1)
counts, edges = np.histogram(rng.normal(size=5000), bins=40, range=(-4, 4))
height = 100
picture = np.full((height, 40 * 4, 3), 255, dtype=np.uint8)
for column, count in enumerate(counts):
    top = height - round(count / counts.max() * height)
    picture[top:, column * 4 : column * 4 + 3] = (30, 100, 200)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


lines = np.concatenate([np.zeros((height, 1), np.uint8), picture.reshape(height, -1)], axis=1)
png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 160, height, 8, 2, 0, 0, 0))
png += chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)) + chunk(b"IEND", b"")
with open("/output/histogram.png", "wb") as file:
    file.write(png)
data = open("/output/histogram.png", "rb").read()
width, high = struct.unpack(">II", data[16:24])
again = np.frombuffer(zlib.decompress(data[41:-16]), np.uint8).reshape(high, 1 + width * 3)[:, 1:].reshape(high, width, 3)
print(width, high, np.array_equal(again, picture), counts.sum(), counts[18:22], edges[:3].round(2))
print((picture == 255).all(axis=2).mean().round(6), picture.mean(axis=(0, 1)).round(3), picture.shape, picture.nbytes)
