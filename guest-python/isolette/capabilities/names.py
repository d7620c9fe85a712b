"""Names of WIT as names of Python: `high-c` is `high_c`, `Report` or `MONDAY`, `class` is `class_`."""

import keyword
import re

_SEPARATORS = re.compile("[:/]")


def snake(name):
    """Of functions, parameters and fields."""
    return _usable(name.replace("-", "_").lower())


def pascal(name):
    """Of types and cases."""
    return _usable("".join(word.capitalize() for word in name.split("-")))


def upper(name):
    """Of members of enumerations and flags."""
    return name.replace("-", "_").upper()


def module(interface):
    """`acme:weather/forecast@1.0.0` is `acme.weather.forecast`."""
    return ".".join(map(snake, _SEPARATORS.split(interface.partition("@")[0])))


def _usable(name):
    return f"{name}_" if keyword.iskeyword(name) else name
