import cmath
import math
import random
import statistics
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction

print(7 // -2, 7 % -2, -7 // 2, divmod(-7, 2), 2**-1, 10**20, 0b101, 0xFF, int("ff", 16), round(2.5), round(-1.5), round(1234.567, -2), 5 / 2, 1e308 * 10, abs(-3 + 4j), (0.1 + 0.2 == 0.3), math.isclose(0.1 + 0.2, 0.3), int(-3.9), bool(0.0), 10 ** -2)
print(math.gcd(12, 18, 8), math.lcm(4, 6), math.comb(10, 3), math.perm(5, 2), math.factorial(25), math.isqrt(99), math.prod([1, 2, 3, 4]), math.hypot(3, 4), math.log(8, 2), math.floor(-1.5), math.ceil(1.2), math.trunc(-1.7), math.fsum([0.1] * 10), math.degrees(math.pi), math.copysign(1, -0.0), math.dist((0, 0), (3, 4)), math.nextafter(1, 2), math.ulp(1.0))
getcontext().prec = 30
print(Decimal(1) / Decimal(7), Decimal("2.675").quantize(Decimal("0.01"), ROUND_HALF_UP), Decimal("1E+3") + 1, Decimal(0.1), Decimal("NaN").is_nan(), Decimal("-0"), Decimal(2).sqrt(), Decimal("123.4500").normalize(), sum(map(Decimal, ["0.1"] * 3)))
print(Fraction(3, 6), Fraction("0.125") + Fraction(1, 3), Fraction(0.5).limit_denominator(10), Fraction(22, 7) > math.pi, float(Fraction(1, 3)))
print(statistics.mean([1, 2, 3, 4]), statistics.median([1, 3, 2]), statistics.mode("aab"), statistics.pstdev([1, 2, 3]), statistics.quantiles(range(1, 10)), statistics.correlation([1, 2, 3], [1, 2, 4]), statistics.linear_regression([1, 2, 3], [2, 4, 6]))
random.seed(42)
print(random.random(), random.randint(1, 100), random.choice("abc"), random.sample(range(50), 5), random.shuffle(x := [1, 2, 3, 4]), x, round(random.gauss(0, 1), 6), random.choices("ab", weights=[1, 3], k=5), random.uniform(1, 2), random.getrandbits(40))
print(cmath.sqrt(-1), cmath.phase(1j), (1 + 2j) * (3 - 1j), complex("1+2j").conjugate(), (255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"), (5).bit_length(), (7).bit_count(), (0.75).as_integer_ratio(), (3.0).is_integer(), float.hex(1.5), pow(3, -1, 7), pow(2, 100, 1000), ~5, 5 ^ 3, 1 << 70, -1 >> 3, 12345678901234567890 % 97)
print(str(2**200), int("1" * 50), sum(range(10**5)), float("1e-320"), 9007199254740993, float(9007199254740993), 1.7976931348623157e308, 5e-324, math.inf - math.inf, max(1, 2.0), min("b", "a"), round(0.5), round(1.005, 2), 3 % 2.5, -3 % 2.5, 2 ** 0.5, math.sin(1), math.tan(1e10), math.exp(1), math.gamma(5.5), math.erf(0.3))
