from decimal import Decimal
from string import Template
import textwrap

pi, n, name = 3.14159265, 1234567, "Ünï"
print(f"{pi:.2f}|{pi:10.3f}|{pi:<10.1e}|{n:,}|{n:_}|{n:>12}|{n:+}|{n:x}|{n:#b}|{n:08o}|{name!r:>8}|{name:^9}|{name!a}|{0.256:.1%}")
print(f"{n=}, {pi=:.1f}, {'nested ' + f'{1 + 1}'}, {{braces}}, {[x for x in range(3)]}, {'a' if n else 'b':*^5}, {Decimal('1.10')}, {1e16:g}, {True:d}, {1 + 2j:.1f}")
print("%5d|%-5s|%05.1f|%x|%r|%s%%|%(k)s" % {"k": 1} if False else "%5d|%-5s|%05.1f|%x|%r|%s%%" % (42, "ab", 2.345, 255, "q", 50))
print("{0} {1} {0} {kw:>4} {lst[1]} {obj.real}".format("a", "b", kw="k", lst=[1, 2], obj=3), "{:{w}.{p}f}".format(2.5, w=8, p=2), format(255, "#06x"), format(-1234.5, "(>12,.2f"))
print(Template("$who likes ${what} $$5").substitute(who="Tim", what="kung pao"), "x".center(7, "-"), "abc".ljust(5, ".") + "|", "7".zfill(3), "-7".zfill(4), "a\tb".expandtabs(4))
print(textwrap.fill("The quick brown fox jumps over the lazy dog again and again.", 20), textwrap.dedent("    a\n      b\n"), textwrap.shorten("Hello wonderful world", 15), textwrap.indent("x\ny", "> "), sep="\n")
for row in [("id", "name", "price"), (1, "tea", 2.5), (10, "coffee", 12.345)]:
    print("{:>4} | {:<8} | {:>8}".format(*[f"{c:.2f}" if isinstance(c, float) else str(c) for c in row]))
print(repr("tab\t new\n q'\" \x00 \x7f é \u200b 😀 \ud800".encode("utf-8", "surrogatepass")), repr("it's"), repr('a"b\'c'), ascii("é😀"), str(b"x"), 1_000_000, 0.1 + 0.2, 1e100, -0.0, float("inf"), 1e-5, 123456789.123456789, 2.0, 1e22, 100000000000000000.0)
print([1.0, "a", None, (1,), {2}, {"k": [True]}, set(), frozenset({1}), b"b", range(3), slice(1, 2), ..., int, len, print is print, complex(1, -0.0), bytearray(b"z"), memoryview(b"m").tolist()])
