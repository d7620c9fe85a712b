"""Primes, factors, greatest common divisors, bases, perfect numbers, Collatz, big powers."""

import math


def sieve(n):
    flags = bytearray([1]) * (n + 1)
    flags[:2] = b"\0\0"
    for i in range(2, math.isqrt(n) + 1):
        if flags[i]:
            flags[i * i :: i] = bytes(len(range(i * i, n + 1, i)))
    return [i for i, flag in enumerate(flags) if flag]


primes = sieve(100_000)
print(len(primes), primes[-3:], sum(primes[:100]))


def factors(n):
    found = []
    for p in primes:
        while n % p == 0:
            found.append(p)
            n //= p
    return found + [n] * (n > 1)


print(factors(360), factors(97 * 89 * 83), factors(600851475143))


def extended(a, b):
    return (a, 1, 0) if b == 0 else (lambda g, x, y: (g, y, x - a // b * y))(*extended(b, a % b))


print(
    extended(240, 46), math.gcd(240, 46), [n for n in range(2, 500) if sum(d for d in range(1, n) if n % d == 0) == n]
)


def base(n, b):
    digits = ""
    while n:
        digits, n = "0123456789abcdefghijklmnopqrstuvwxyz"[n % b] + digits, n // b
    return digits or "0"


print(base(255, 2), base(255, 16), base(123456789, 36), int("21i3v9", 36))
lengths = {1: 1}


def collatz(n):
    if n not in lengths:
        lengths[n] = 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)
    return lengths[n]


print(
    max(range(1, 10000), key=collatz),
    collatz(27),
    [n for n in range(100, 1000) if n == sum(int(d) ** 3 for d in str(n))],
)


def probably_prime(n, bases=(2, 3, 5, 7, 11, 13, 17)):
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for a in bases:
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        if not any((x := x * x % n) == n - 1 for _ in range(s - 1)):
            return False
    return True


print(probably_prime(2**89 - 1), probably_prime(2**83 - 1), pow(7, 2**64, 1_000_000_007), str(2**1000)[-10:])
totient = lambda n: n if n == 1 else math.prod(p ** (factors(n).count(p) - 1) * (p - 1) for p in set(factors(n)))
print([totient(n) for n in range(1, 13)], sum(int(d) for d in str(math.factorial(100))))
