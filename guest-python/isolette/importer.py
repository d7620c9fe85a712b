"""Imports from memory: one `meta_path` finder for every module of the image, compiled and compressed.

The modules of a program, which are files in folders, are found by `folders.py`. `app.py` executes this module before imports
work, so it must import only modules that the interpreter has already loaded.
"""

import marshal
import sys
import zlib
from importlib.machinery import (
    BuiltinImporter,
    ExtensionFileLoader,
    FrozenImporter,
    ModuleSpec,
    PathFinder,
)


class Store:
    """The finder and loader of all modules in the store."""

    def __init__(self, modules, files, blob, libraries):
        self._modules = modules
        self._namespaces = _namespaces(modules)
        self._libraries = libraries
        self._files = files
        self._blob = memoryview(blob)
        self._adapters = {}
        self._nearer = None
        # Modules that were executed while the image was built, and are given to the programs that import them.
        self._parked = {}

    def on_load(self, name, adapt):
        """Calls `adapt(module)` after the first execution of the named module."""
        if name in sys.modules:
            adapt(sys.modules[name])
        else:
            self._adapters[name] = adapt

    def park(self, name, prepare):
        """Takes a module that was imported out of `sys.modules`. The next import returns it, after `prepare()`.

        So that only the programs that use a module pay for what it needs before its first use.
        """
        self._parked[name] = sys.modules.pop(name), prepare
        package, _, attribute = name.rpartition(".")
        if package:
            vars(sys.modules[package]).pop(attribute, None)

    def read(self, offset, length):
        return zlib.decompress(self._blob[offset : offset + length])

    # Finder

    def find_spec(self, name, path=None, target=None):
        found = self._find(name)
        if found is None or path is not None or self._nearer is None:
            return found
        return self._nearer(name) or found

    def prefer(self, nearer):
        """Lets `nearer(name)` return the module that is used in place of one of the store, or None."""
        self._nearer = nearer

    def _find(self, name):
        entry = self._modules.get(name)
        if entry is None:
            library = self._libraries.get(name)
            if library is not None:
                # No file is opened: the library is part of the component.
                return ModuleSpec(name, ExtensionFileLoader(name, library), origin=library)
            folder = self._namespaces.get(name)
            if folder is None:
                return None
            spec = ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations.append(folder)
            return spec
        location, is_package = entry[:2]
        spec = ModuleSpec(name, self, origin=location, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations.append(location.removesuffix("/__init__.py"))
        return spec

    def find_distributions(self, context=None):
        from isolette import distributions

        return distributions.find(self, context)

    # Loader

    def create_module(self, spec):
        parked = self._parked.get(spec.name)
        return parked and parked[0]

    def exec_module(self, module):
        name = module.__name__
        parked = self._parked.get(name)
        if parked is not None and parked[0] is module:
            del self._parked[name]
            parked[1]()
            return
        exec(self.get_code(name), module.__dict__)
        adapt = self._adapters.pop(name, None)
        if adapt is not None:
            adapt(module)

    def get_code(self, name):
        return marshal.loads(self.read(*self._entry(name)[2:]))

    def is_package(self, name):
        return self._entry(name)[1]

    def get_filename(self, name):
        return self._entry(name)[0]

    def get_source(self, name):
        """Returns None, because the image contains no sources."""
        self._entry(name)
        return None

    def get_data(self, path):
        """Returns the contents of a data file with a path such as `/packages/NAME/FILE`."""
        entry = self._files.get(path)
        if entry is None:
            raise FileNotFoundError(2, "No such file in the image", path)
        return self.read(*entry[:2])

    def get_resource_reader(self, name):
        from importlib.readers import FileReader
        from types import SimpleNamespace

        # It reads by path: `package_files` finds what is there.
        return FileReader(SimpleNamespace(path=self.get_filename(name)))

    def data_size(self, path):
        """Returns the number of bytes of a data file, or None if there is none."""
        entry = self._files.get(path)
        return entry and entry[2]

    def data_paths(self):
        return self._files.keys()

    def _entry(self, name):
        entry = self._modules.get(name)
        if entry is None:
            raise ImportError(f"no module {name!r} in the image", name=name)
        return entry


def _namespaces(modules):
    """Returns the folder of each package that has no `__init__.py` (PEP 420)."""
    found = {}
    for name, (location, is_package, *_) in modules.items():
        folder = location.removesuffix("/__init__.py") if is_package else location
        package = name.rpartition(".")[0]
        while package and package not in modules:
            folder = folder.rpartition("/")[0]
            found[package] = folder
            package = package.rpartition(".")[0]
    return found


store = None


def install(modules, files, blob, libraries):
    """Makes the store the source of all imports. Called once, while the image is built."""
    global store
    store = Store(modules, files, blob, libraries)
    # The directories of the build do not exist at run time.
    sys.meta_path[:] = [BuiltinImporter, FrozenImporter, store, PathFinder]
    sys.path[:] = []
    sys.path_importer_cache.clear()
    sys.dont_write_bytecode = True
    sys.modules[__name__].__spec__ = store.find_spec(__name__)
