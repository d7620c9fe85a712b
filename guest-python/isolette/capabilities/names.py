"""Python names for WIT names: `high-c` is `high_c`, `report` is `Report`, `monday` is `MONDAY`, `class` is `class_`."""

import keyword
import re

_SEPARATORS = re.compile("[:/]")


def snake(name):
    """Returns the name of a function, parameter or field."""
    return _usable(name.replace("-", "_").lower())


def pascal(name):
    """Returns the name of a type or case."""
    return _usable("".join(word.capitalize() for word in name.split("-")))


def upper(name):
    """Returns the name of a member of an enumeration or flags."""
    return name.replace("-", "_").upper()


def module(interface):
    """Returns the module name of an interface: `acme.weather.forecast` for `acme:weather/forecast@1.0.0`."""
    return ".".join(map(snake, _SEPARATORS.split(interface.partition("@")[0])))


def _usable(name):
    return f"{name}_" if keyword.iskeyword(name) else name
