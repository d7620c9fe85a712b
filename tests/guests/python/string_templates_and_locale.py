"""Number formats, alignment of tables, `locale`, `gettext`."""

import gettext
import locale

print(locale.str(1.5), locale.atof("2.5"), locale.format_string("%.2f", 1234.5), gettext.gettext("same"))
print(gettext.ngettext("%d file", "%d files", 3) % 3, locale.localeconv()["decimal_point"])
for name, price in (("Tea", 2.5), ("Coffee", 13.25), ("日本", 1)):
    print(f"{name:.<12}{price:>8,.2f}")
print("\n".join(f"{i:>2} {'*' * i:^9}" for i in range(1, 9, 2)))
print("".join(f"{n:5d}" for n in range(0, 100, 11)), f"{True:d} {'%'} {1 < 2}", f"{1e10:g} {1e-7:g} {123456789:.3g}")
