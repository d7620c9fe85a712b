"""The names of IPython that programs written for notebooks import. There is no shell, as in a program that Python runs."""

import IPython.display

__all__ = ["display", "get_ipython"]


def get_ipython():
    """Returns None, because no shell of IPython is running."""
    return None
