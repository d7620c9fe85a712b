"""`setlocale` for the locales that exist. The C library accepts every name, and formats and sorts as in `C` for each."""

import _locale
import locale
import os

from isolette.builtin import builtin

_setlocale = _locale.setlocale

# In the order in which a locale names them.
_CATEGORIES = ("LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES")


def setlocale(category, locale=None, /):
    """Activates/queries locale processing."""
    if not isinstance(locale, str):
        return _setlocale(category, locale)
    wanted = locale.split(";")
    if locale == "":
        names = [n for n in _CATEGORIES if category in (_locale.LC_ALL, getattr(_locale, n))]
        wanted = [_of_environment(name) for name in names]
    found = [_existing(name) for name in wanted]
    if None in found or not found:
        raise _locale.Error("unsupported locale setting")
    return _setlocale(category, ";".join(found) if len(set(found)) > 1 else found[0])


def _existing(name):
    """The name that Linux reports for a locale that exists, or None."""
    base, _, encoding = name.partition(".")
    if base == "C" and encoding.lower().replace("-", "") == "utf8":
        return name
    return "C" if name in ("C", "POSIX") else None


def _of_environment(name):
    for variable in ("LC_ALL", name, "LANG"):
        if value := os.environ.get(variable):
            return value
    return "C.UTF-8"


def prepare():
    """Called once, while the image is built."""
    _locale.setlocale = locale._setlocale = builtin(setlocale)
