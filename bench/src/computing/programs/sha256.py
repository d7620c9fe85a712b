# SHA-256 of many short texts and of a long one, by `hashlib`.

import hashlib

root = b'root'
for number in range(200_000):
    root = hashlib.sha256(root + str(number).encode()).digest()
long = hashlib.sha256()
for _ in range(300):
    long.update(root * 2_048)

result = [root.hex(), long.hexdigest()]
