"""Encodings by hand: Caesar, Vigenère, run lengths, Huffman, LZW, Roman, Morse, check digits."""

import heapq
import string
from collections import Counter
from itertools import cycle, groupby

letters = string.ascii_lowercase
caesar = lambda text, n: text.translate(str.maketrans(letters, letters[n % 26 :] + letters[: n % 26]))
print(caesar("hello, zebra", 3), caesar(caesar("hello", 3), -3))
vigenere = lambda text, key, sign=1: "".join(
    letters[(letters.index(t) + sign * letters.index(k)) % 26] for t, k in zip(text, cycle(key))
)
print(vigenere("attackatdawn", "lemon"), vigenere("lxfopvefrnhr", "lemon", -1))
packed = [(c, len(list(g))) for c, g in groupby("aaabccdddd")]
print(packed, "".join(c * n for c, n in packed))


def huffman(text):
    heap = [(n, c) for c, n in Counter(text).items()]
    heapq.heapify(heap)
    codes = dict.fromkeys(set(text), "")
    while len(heap) > 1:
        (n, left), (m, right) = heapq.heappop(heap), heapq.heappop(heap)
        for c in left:
            codes[c] = "0" + codes[c]
        for c in right:
            codes[c] = "1" + codes[c]
        heapq.heappush(heap, (n + m, left + right))
    return codes


codes = huffman("abracadabra")
print(sum(len(codes[c]) for c in "abracadabra"), len(codes["a"]))


def lzw(text):
    table, word, out = {chr(i): i for i in range(256)}, "", []
    for c in text:
        if word + c in table:
            word += c
        else:
            out.append(table[word])
            table[word + c] = len(table)
            word = c
    return out + [table[word]]


print(lzw("TOBEORNOTTOBEORTOBEORNOT"))


def roman(n):
    out = ""
    for value, numeral in zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split()
    ):
        out, n = out + numeral * (n // value), n % value
    return out


print([roman(n) for n in (4, 9, 14, 40, 90, 400, 1994, 2024)])
luhn = lambda number: sum(sum(divmod(int(d) * (i % 2 + 1), 10)) for i, d in enumerate(reversed(number))) % 10 == 0
print(luhn("4539578763621486"), luhn("4539578763621487"))
print(" ".join(f"{b:08b}" for b in "Hi".encode()), "".join(chr(int(b, 2)) for b in "01001000 01101001".split()))
