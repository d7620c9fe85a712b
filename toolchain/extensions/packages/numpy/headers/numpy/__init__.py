"""What builds of other packages import in place of numpy, which itself runs in the sandbox only."""

import pathlib


def get_include():
    return str(pathlib.Path(__file__).parent / "_core/include")
