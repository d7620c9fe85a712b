"""`decimal`, `fractions` and `numbers`."""

import numbers
from decimal import (
    ROUND_DOWN,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    getcontext,
    localcontext,
)
from fractions import Fraction

print(Decimal("0.1") + Decimal("0.2"), Decimal(1) / 3, Decimal("1.10") * 2, Decimal(0.5), Decimal("1E+3").normalize())
for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_DOWN):
    print(Decimal("2.675").quantize(Decimal("0.01"), mode), Decimal("2.665").quantize(Decimal("0.01"), rounding=mode))
with localcontext() as context:
    context.prec = 50
    print(Decimal(2).sqrt(), Decimal(1).exp())
print(
    getcontext().prec,
    Context(prec=3).divide(Decimal(22), Decimal(7)),
    Decimal("-0"),
    Decimal("NaN"),
    Decimal("Infinity"),
)
print(
    Decimal("123.4500").as_tuple(),
    f"{Decimal('1234567.891'):,.2f}",
    Decimal("3.7") // 1,
    Decimal(7) % 3,
    int(Decimal("9.9")),
)
for action in (lambda: Decimal(1) / 0, lambda: Decimal("abc")):
    try:
        action()
    except (DivisionByZero, InvalidOperation) as error:
        print(type(error).__name__)
print(sum([Decimal("0.1")] * 10) == 1, max(Decimal("1.0"), Decimal("1.00")), Decimal("1.0") == Decimal("1.00"))
print(
    Fraction(1, 3) + Fraction(1, 6),
    Fraction("0.125"),
    Fraction(0.5),
    Fraction(7, 3).limit_denominator(2),
    Fraction(-7, 2) // 1,
)
print(
    Fraction(3.141592653589793).limit_denominator(1000),
    round(Fraction(7, 2)),
    isinstance(Fraction(1), numbers.Rational),
)
