"""`time.strftime` of glibc, in the C locale. `datetime` uses it as well.

The C library of this build supports fewer directives and no flags, and returns nothing for a format with an unknown
directive. Formats with equal results in both libraries use the C library.
"""

import calendar
import re
import time
from datetime import date

from isolette.builtin import builtin

# Directives of glibc: `_`, `-` and `0` select the padding, `^` and `#` change the case, `E` and `O` select alternative forms of
# other locales.
_DIRECTIVE = re.compile(r"%([_\-0^#]*)([0-9]*)([EO]?)(.?)", re.DOTALL)
_SAME = re.compile(r"(?:[^%\0\ud800-\udfff]|%[aAbBdHIjmMpSUwWxX%])*")
_LARGEST_WIDTH = 1 << 16

_DAYS_IN_400_YEARS = 146097
_EPOCH = date(1970, 1, 1).toordinal()

_COMPOSED = {
    "c": "%a %b %e %H:%M:%S %Y",
    "x": "%m/%d/%y",
    "D": "%m/%d/%y",
    "X": "%H:%M:%S",
    "T": "%H:%M:%S",
    "R": "%H:%M",
    "r": "%I:%M:%S %p",
    "F": "%Y-%m-%d",
}
# The directives that allow the modifiers `E` and `O`.
_BOTH, _ONLY_E, _ONLY_O = "EO", "E", "O"
_MODIFIERS = {
    **dict.fromkeys("CRTZnpPrstuyz%", _BOTH),
    **dict.fromkeys("cxXY", _ONLY_E),
    **dict.fromkeys("bBdeghGHIjklmMSUVwW", _ONLY_O),
}

_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_MONTHS = "January February March April May June July August September October November December".split()

_native = time.strftime


def strftime(format, t=None, /):
    if type(format) is str and _SAME.fullmatch(format):
        return _native(format) if t is None else _native(format, t)
    if not isinstance(format, str):
        raise TypeError(f"strftime() argument 1 must be str, not {type(format).__name__}")
    if t is None:
        t = time.localtime()
    _native("%a %j", t)  # Rejects an invalid time.
    return _Time(t).write(format)


class _Time:
    """The fields of a time, which may be outside of the calendar (day 0 and month 0 mean the first)."""

    def __init__(self, t):
        self.year, self.month, self.day, self.hour, self.minute, self.second, self.weekday, self.yearday = t[:8]
        self.month = self.month or 1
        self.day = self.day or 1
        self.yearday = (self.yearday or 1) - 1
        self.weekday = (self.weekday + 1) % 7  # Starts at Sunday, like in C.
        is_known = isinstance(t, time.struct_time)
        self.zone = t.tm_zone if is_known else None
        if self.zone is None:
            self.zone = time.tzname[t[8] > 0] if t[8] >= 0 else ""
        self.offset = t.tm_gmtoff if is_known and t.tm_gmtoff is not None else 0
        self.is_dst = t[8]

    def write(self, format):
        return _DIRECTIVE.sub(self._directive, format)

    def _directive(self, match):
        flags, width, modifier, kind = match.groups()
        width = min(int(width), _LARGEST_WIDTH) if width else -1
        fill = next((flag for flag in reversed(flags) if flag in "_-0"), "")
        value = self._value(kind) if kind and (not modifier or modifier in _MODIFIERS.get(kind, "")) else None
        if value is None:
            # An unknown directive is written unchanged.
            text = match.group()
            is_upper = "^" in flags or ("#" in flags and kind in ("b", "h"))
            return _filled(text.upper() if is_upper else text, fill, width)
        if kind == "z" and not value:
            return ""
        text = value
        if not isinstance(value, str):
            number, digits, usual = value
            text = _number(number, digits if kind == "s" else max(digits, width), fill or usual)
            if kind == "z":
                text = _filled("-" if self.offset < 0 else "+", fill, width) + _filled(text, fill, width)
        if "#" in flags and kind in "pZ":
            text = text.lower()
        elif "^" in flags or ("#" in flags and kind in "aAbBh"):
            text = text.upper()
        if kind == "P":
            text = text.lower()
        return _filled(text, fill, width)

    def _value(self, kind):
        """Returns a text, or a number with its minimum digits and padding, or None for an unknown directive."""
        if kind in _COMPOSED:
            return self.write(_COMPOSED[kind])
        function = getattr(self, f"_{kind}", None) if kind.isascii() and kind.isalpha() else None
        if function is not None:
            return function()
        return {"n": "\n", "t": "\t", "%": "%"}.get(kind)

    def _a(self):
        return self._A()[:3]

    def _A(self):
        return _DAYS[self.weekday - 1]

    def _b(self):
        return self._B()[:3]

    _h = _b

    def _B(self):
        return _MONTHS[self.month - 1]

    def _C(self):
        return self.year // 100, 1, "0"

    def _d(self):
        return self.day, 2, "0"

    def _e(self):
        return self.day, 2, "_"

    def _H(self):
        return self.hour, 2, "0"

    def _k(self):
        return self.hour, 2, "_"

    def _I(self):
        return (self.hour - 1) % 12 + 1, 2, "0"

    def _l(self):
        return (self.hour - 1) % 12 + 1, 2, "_"

    def _j(self):
        return self.yearday + 1, 3, "0"

    def _M(self):
        return self.minute, 2, "0"

    def _m(self):
        return self.month, 2, "0"

    def _p(self):
        return "PM" if self.hour > 11 else "AM"

    _P = _p

    def _S(self):
        return self.second, 2, "0"

    def _s(self):
        cycles, year = divmod(self.year, 400)  # `datetime` does not support year 0.
        days = date(400 + year, self.month, 1).toordinal() + (cycles - 1) * _DAYS_IN_400_YEARS - _EPOCH + self.day - 1
        hour = self.hour - (self.is_dst > 0)
        return ((days * 24 + hour) * 60 + self.minute) * 60 + self.second, 1, "0"

    def _u(self):
        return (self.weekday - 1) % 7 + 1, 1, "0"

    def _w(self):
        return self.weekday, 1, "0"

    def _U(self):
        return (self.yearday - self.weekday + 7) // 7, 2, "0"

    def _W(self):
        return (self.yearday - (self.weekday - 1) % 7 + 7) // 7, 2, "0"

    def _iso(self):
        """Returns the year and week according to ISO 8601."""
        year, days = self.year, _iso_days(self.yearday, self.weekday)
        if days < 0:
            year -= 1
            days = _iso_days(self.yearday + _length(year), self.weekday)
        elif (after := _iso_days(self.yearday - _length(year), self.weekday)) >= 0:
            year, days = year + 1, after
        return year, days // 7 + 1

    def _G(self):
        return self._iso()[0], 1, "0"

    def _g(self):
        return self._iso()[0] % 100, 2, "0"

    def _V(self):
        return self._iso()[1], 2, "0"

    def _Y(self):
        return self.year, 1, "0"

    def _y(self):
        return self.year % 100, 2, "0"

    def _Z(self):
        return self.zone

    def _z(self):
        if self.is_dst < 0:
            return ""
        minutes = abs(self.offset) // 60
        return minutes // 60 * 100 + minutes % 60, 4, "0"


def _number(number, digits, fill):
    sign = "-" if number < 0 else ""
    text = str(abs(number))
    if fill == "-":
        return sign + text
    if fill == "_":
        return (sign + text).rjust(digits)
    return sign + text.rjust(digits - len(sign), "0")


def _filled(text, fill, width):
    return text.rjust(width, "0" if fill == "0" else " ") if len(text) < width else text


def _iso_days(yearday, weekday):
    # Days since the Monday of the first week. The added weeks keep the operand of the modulo positive.
    return yearday - (yearday - weekday + 4 + 3 * 7 * 53) % 7 + 4 - 1


def _length(year):
    return 365 + calendar.isleap(year)


def prepare():
    strftime.__doc__ = _native.__doc__
    time.strftime = builtin(strftime)
