# Integers and short lists: the most flips of any permutation of nine numbers.


def fannkuch(n):
    counts = [0] * n
    permutation = list(range(n))
    most, checksum, r, turn = 0, 0, n, 0
    while True:
        while r != 1:
            counts[r - 1] = r
            r -= 1
        flipped, flips = permutation[:], 0
        while first := flipped[0]:
            flipped[: first + 1] = flipped[: first + 1][::-1]
            flips += 1
        most = max(most, flips)
        checksum += -flips if turn % 2 else flips
        turn += 1
        while True:
            if r == n:
                return checksum, most
            permutation.insert(r, permutation.pop(0))
            counts[r] -= 1
            if counts[r] > 0:
                break
            r += 1


result = list(fannkuch(9))
