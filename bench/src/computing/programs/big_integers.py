# Integers of hundreds of digits: products, powers, quotients, and their decimal digits.


def pi_digits(count):
    q, r, t, k, n, l = 1, 0, 1, 1, 3, 3
    digits = []
    while len(digits) < count:
        if 4 * q + r - t < n * t:
            digits.append(n)
            q, r, n = 10 * q, 10 * (r - n * t), 10 * (3 * q + r) // t - 10 * n
        else:
            q, r, t, k, n, l = q * k, (2 * q + r) * l, t * l, k + 1, (q * (7 * k + 2) + r * l) // (t * l), l + 2
    return digits


factorial = 1
for number in range(1, 1_400):
    factorial *= number
digits = sum(map(int, str(factorial)))
power = pow(3, 2**512 + 1, 2**1279 - 1)
for exponent in range(3, 100):
    power = pow(power, exponent * 10**150 + 1, 2**1279 - 1)
a, b = 1, 0
for _ in range(20_000):
    a, b = a + b, a

result = [digits, power % 1_000_003, a % 1_000_003, sum(pi_digits(1_000))]
