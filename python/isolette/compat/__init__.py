"""Modules with the interfaces of other sandboxes, so that programs that use those run on this one."""

from __future__ import annotations

import importlib
import sys


def alias(name: str) -> None:
    """Makes `import name` import the module of this package with that name, in this process.

    >>> from isolette import compat
    >>> compat.alias("hyperlight_sandbox")
    >>> from hyperlight_sandbox import Sandbox
    """
    sys.modules[name] = importlib.import_module(f"{__name__}.{name}")
