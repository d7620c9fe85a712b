"""Imports of modules from folders: those that a program wrote, and those of mounts.

CPython's finder lists a folder once, and again when the folder's time differs from then. Here, a program can write a module
within one tick of the clock, and a mount can be large. So each import looks for the few files that can answer it.
"""

import os
import sys
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    SOURCE_SUFFIXES,
    FileFinder,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from importlib.util import spec_from_file_location

from isolette.importer import store

# The place of the standard library on `sys.path`. Modules in folders before it precede those of the image, as on a computer.
STANDARD_LIBRARY = "/python"

# The working directory; then the places of mounts and files that a program can rely on.
_PLACES = ["", STANDARD_LIBRARY, "/input", "/workspace", "/output", "/tmp"]


class Folder(FileFinder):
    """The modules in one folder, which need not exist yet."""

    def find_spec(self, fullname, target=None):
        tail = fullname.rpartition(".")[2]
        # A folder has no files of such names.
        if not tail or os.sep in tail or "\0" in tail:
            return None
        base = os.path.join(self.path, tail)
        is_folder = os.path.isdir(base)
        if is_folder:
            for suffix, loader in self._loaders:
                path = f"{base}{os.sep}__init__{suffix}"
                if os.path.isfile(path):
                    return spec_from_file_location(
                        fullname, path, loader=loader(fullname, path), submodule_search_locations=[base]
                    )
        for suffix, loader in self._loaders:
            path = base + suffix
            if os.path.isfile(path):
                return spec_from_file_location(fullname, path, loader=loader(fullname, path))
        if not is_folder:
            return None
        spec = ModuleSpec(fullname, None)
        spec.submodule_search_locations = [base]
        return spec

    def invalidate_caches(self):
        """Does nothing, because nothing is stored."""


def _folder(path):
    """The entry of `sys.path_hooks`."""
    if os.path.isfile(path):
        raise ImportError("only directories are supported", path=path)
    loaders = (SourceFileLoader, SOURCE_SUFFIXES), (SourcelessFileLoader, BYTECODE_SUFFIXES)
    return Folder(path, *loaders)


def nearer(name):
    """Returns the module with this name in a folder that precedes the standard library on `sys.path`, or None."""
    try:
        end = sys.path.index(STANDARD_LIBRARY)
    except ValueError:
        return None  # The program has replaced the path: no folder is known to be before the library.
    if end == 0:
        return None
    spec = PathFinder.find_spec(name, sys.path[:end])
    return spec if spec is not None and spec.loader is not None else None


def written(path):
    """Called when a program writes a file `*.py`. If the image has already imported a module with this name, and the program has
    not, the next import looks for it again: the file may precede it.
    """
    name = os.path.basename(os.fsdecode(path))[:-3]
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    if spec is None or spec.loader is not store or name == "isolette":
        return
    used = vars(sys.modules["__main__"]) if "__main__" in sys.modules else {}
    if not any(value is module or getattr(value, "__module__", None) == name for value in list(used.values())):
        store.park(name, lambda: None)


def begin(filename):
    """Called with the file of a new program. Modules beside it come first, if it is a file of the sandbox."""
    if filename.startswith("/") and os.path.isfile(filename):
        sys.path.insert(0, os.path.dirname(filename))


def prepare():
    """Called once, while the image is built."""
    sys.path_hooks[-1] = _folder
    sys.path[:] = _PLACES
    sys.path_importer_cache.clear()
