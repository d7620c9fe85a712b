"""Numbers: integers of any size, floats, division, rounding, bits."""

print(7 // 2, -7 // 2, 7 % 3, -7 % 3, divmod(-7, 3))
print(2**200, (2**200).bit_length(), pow(3, 100, 7), pow(3, -1, 11))
print(0.1 + 0.2, 1e308 * 10, -1e308 * 10, float("nan") != float("nan"))
print(round(2.5), round(3.5), round(-2.675, 2), round(12345, -2))
print(0b1011 ^ 0x0F, ~5, 1 << 70, -17 >> 2, 6 & 3, 6 | 3)
print(int("ff", 16), int("-0b101", 0), hex(255), oct(8), bin(-5), (255).to_bytes(2, "big"))
print(1_000_000, 3.14_15, 0xDEAD_BEEF, 1e-3)
print(10 / 4, 10 // 4.0, (0.5).as_integer_ratio(), (2.5).is_integer(), (3.0).hex())
print(abs(-3), sum([1, 2, 3], 10), max(3, 1, 2), min([4, 2], default=0), max([], default="none"))
for expression in ("1 / 0", "1 % 0", "0.0 / 0", "0 ** -1", "int('x')", "1 << -1"):
    try:
        eval(expression)
    except Exception as error:
        print(expression, type(error).__name__)
