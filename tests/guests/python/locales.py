"""Locales: those that exist are set, and others are refused."""

import calendar
import locale
import os


def attempt(category, name):
    try:
        return locale.setlocale(category, name)
    except (locale.Error, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


os.environ["LC_ALL"] = "C"
for name in ["C", "POSIX", "C.UTF-8", "C.utf8", "", "de_DE.UTF-8", "en_US.UTF-8x", "xx_YY", "de", "nonsense", ("de_DE", "ISO8859-77")]:
    print(name, attempt(locale.LC_CTYPE, name))
print(attempt(locale.LC_ALL, "C"), attempt(locale.LC_ALL, None), attempt(locale.LC_ALL, "C;de_DE.UTF-8"))
print(attempt(99, "C"), attempt(locale.LC_ALL, "tlh_QO.UTF-8"), locale.setlocale(locale.LC_ALL))
saved = locale.setlocale(locale.LC_ALL)
locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
mixed = locale.setlocale(locale.LC_ALL)
locale.setlocale(locale.LC_ALL, saved)
print(locale.setlocale(locale.LC_CTYPE), locale.setlocale(locale.LC_ALL, mixed) == mixed, locale.setlocale(locale.LC_CTYPE))
locale.setlocale(locale.LC_ALL, "C")
os.environ["LC_ALL"] = "tlh_QO.UTF-8"
print(attempt(locale.LC_ALL, ""))
del os.environ["LC_ALL"]
os.environ["LANG"] = "tlh_QO.UTF-8"
print(attempt(locale.LC_TIME, ""))
os.environ["LC_CTYPE"] = "C.UTF-8"
print(attempt(locale.LC_CTYPE, ""), locale.localeconv()["decimal_point"])
try:
    print(calendar.LocaleTextCalendar(locale="tlh_QO.UTF-8").formatweekday(0, 3))
except locale.Error as error:
    print(error)
print(locale.format_string("%.2f", 1234.5, grouping=True), locale.strxfrm("a") < locale.strxfrm("b"))
