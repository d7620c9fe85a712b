"""Format specifications, `str.format`, f-strings, templates."""

from datetime import date
from string import Template

value, name = 1234567.891, "Ada"
print(f"{value:,.2f} {value:e} {value:>15.1f}| {value:<15.1f}| {value:^15.1f}| {value:+.0f}")
print(f"{255:#x} {255:08b} {255:o} {-5:+d} {5: d} {1000000:_} {0.256:.1%}")
print(f"{name!r} {name:>6} {name:*^9} {name=} {1 + 1 = } {name!s:.2}")
width, precision = 10, 3
print(f"{3.14159:{width}.{precision}f}|", f"{date(2024, 2, 29):%d %B %Y}")
print(f"{'nested ' + f'{1 + 1}'} {{literal}} {[x * 2 for x in range(3)]} {'a' if name else 'b'}")
print(
    "{0} {1} {0} {name}".format("a", "b", name="c"), "{:>{w}}".format("x", w=4), "{0[k]} {1.real}".format({"k": 1}, 5)
)
print(Template("$who owes $$${amount}").substitute(who="Bob", amount=3), Template("$x").safe_substitute())
print(format(12.5, "08.2f"), format("x", "^5"), "%(a)d-%(b)s" % {"a": 1, "b": "z"}, "%-5s|%5s|%x" % ("l", "r", 255))


class Celsius(float):
    def __format__(self, spec):
        return f"{float(self):{spec or '.1f'}}°C"


print(f"{Celsius(21.456)} {Celsius(21.456):.2f}")
