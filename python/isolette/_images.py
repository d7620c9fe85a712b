"""The images that the package `isolette-images` installs."""

from __future__ import annotations

import importlib.util
import os

from . import _native


def register() -> None:
    """Adds its folder to those that are searched for images. They are used where they are, without a copy."""
    # Finding a module does not import it.
    found = importlib.util.find_spec("isolette_images")
    for folder in () if found is None else found.submodule_search_locations or ():
        _native.search_images_in(os.path.join(folder, "images"))
