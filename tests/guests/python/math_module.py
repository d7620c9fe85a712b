"""`math`."""

import math

print(math.pi, math.e, math.tau, math.inf, math.isnan(math.nan))
print(math.sqrt(2), math.isqrt(10**20), math.factorial(25), math.comb(52, 5), math.perm(5, 2))
print(math.gcd(48, 180, 36), math.lcm(4, 6), math.floor(-2.5), math.ceil(-2.5), math.trunc(-2.5))
print(math.hypot(3, 4), math.dist((0, 0), (1, 1)), math.degrees(math.pi), f"{math.radians(180):.6f}")
print(f"{math.sin(1):.12f} {math.cos(1):.12f} {math.tan(1):.12f} {math.atan2(1, -1):.12f} {math.log(10):.12f}")
print(math.log2(1024), math.log10(1000), f"{math.log(8, 2):.6f}", f"{math.exp(1):.10f}", math.pow(2, 0.5) == 2**0.5)
print(math.fsum([0.1] * 10), math.prod(range(1, 6)), math.copysign(1, -0.0), math.fmod(-7, 3), math.modf(3.25))
print(math.isclose(0.1 + 0.2, 0.3), math.frexp(8), math.ldexp(0.5, 4), f"{math.gamma(5):.1f}", f"{math.erf(1):.8f}")
for action in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.exp(1000)):
    try:
        action()
    except (ValueError, OverflowError) as error:
        print(type(error).__name__)
