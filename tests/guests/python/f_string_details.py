"""f-strings: nesting, debugging, conversions, multi-line, formats from objects."""

import datetime
import math

name, items, price = "World", [1, 2], 1234.5
print(f"{name!r:>10}|{name!a}|{items=}|{price = :,.1f}|{name:{'^'}{11}}|{len(items):03}")
print(f"{'a' if items else 'b'} {[i for i in items]} {(lambda x: x * 2)(4)} {dict(a=1)['a']} {items[0]!s}")
print(f"line one {name} line two {price:.0f} plain {{braces}}")
print(f"""multi
{name.upper()}
{"nested " + f"{name[:2]}"}""")
print(
    rf"\d{name}\n",
    f"{{}}{{{name}}}",
    f"{price!r:>8}",
    f"{datetime.date(2024, 3, 9):%A, %d.%m.%y}",
    f"{math.pi:.{len(items)}f}",
)
print(f"{0.1 + 0.2:.17g} {1e-10:.2e} {255:x} {255:X} {-7:>+5} {7:<5}| {3:^5}| {'x':*<3} {10**9:_}")
print(f"{None} {True!s:>6} {[]!r} {float('inf')} {-0.0} {1 + 2j:.1f} {b'x'!r}")
