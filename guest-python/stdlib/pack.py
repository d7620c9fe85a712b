"""First stage of the build: compiles every Python module that an image may import, and packs them into one store.

The byte code must come from the interpreter that will load it, so this code runs inside the guest: as the application of a
temporary component, while componentize-py pre-initialises it. It reads `sources/` and `packages/` beside this file and the
standard library of the interpreter, and writes `store.bin` beside this file.

It must never execute the modules that it compiles.
"""

import json
import marshal
import os
import sys
import zlib

import wit_world.exports

HERE = os.path.dirname(__file__)
STANDARD_LIBRARY = "/python"

# Parts of the standard library that need a display, a terminal, processes or pip, or are not a library.
EXCLUDED = frozenset(
    name + ending
    for name in """
    __phello__ _aix_support _android_support _apple_support _ios_support _osx_support antigravity
    config-3.14-wasm32-wasi ctypes curses ensurepip idlelib pydoc_data site-packages ssl tkinter turtle turtledemo venv
    """.split()
    for ending in ("", ".py")
)
# Folders of installation tools and of tests that no program reads.
EXCLUDED_FROM_PACKAGES = frozenset(["__pycache__", "bin", "tests", "test"])
# Libraries of extension modules, which componentize-py links.
LIBRARY_SUFFIXES = (".cpython-314-wasm32-wasi.so", ".abi3.so", ".so")
# Written by our build of packages with extension modules.
ABOUT = ".dist-info/isolette.json"


def modules_and_files(root, excluded):
    """Yields (relative path, absolute path) of every file under `root`, in a deterministic order."""
    pending = [""]
    while pending:
        folder = pending.pop()
        for name in sorted(os.listdir(os.path.join(root, folder)), reverse=True):
            path = os.path.join(folder, name)
            if name in excluded or name == "__pycache__":
                continue
            if os.path.isdir(os.path.join(root, path)):
                pending.append(path)
            else:
                yield path, os.path.join(root, path)


def is_data(relative):
    """Returns whether a program might read this file of a package."""
    folder, _, name = relative.rpartition("/")
    if folder.endswith(".dist-info"):
        return name in ("METADATA", "entry_points.txt", "top_level.txt")
    return name != "py.typed" and not name.endswith((".pyc", ".pyi"))


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Store:
    """The index is `{name: (path, is_package, offset, length)}` for modules, `{path: (offset, length, size)}` for files,
    `{name: path}` for the libraries of extension modules, and a list of modules to import while the image is built.
    """

    def __init__(self):
        self.modules = {}
        self.files = {}
        self.libraries = {}
        self.preload = []
        self.blob = bytearray()

    def _append(self, data):
        compressed = zlib.compress(data, 6)
        offset = len(self.blob)
        self.blob += compressed
        return offset, len(compressed)

    def add_module(self, relative, absolute, shown):
        parts = relative.removesuffix(".py").split("/")
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        if name in self.modules:
            return
        code = compile(read(absolute), shown, "exec", dont_inherit=True, optimize=0)
        self.modules[name] = (shown, is_package, *self._append(marshal.dumps(code)))

    def add_file(self, absolute, shown):
        data = read(absolute)
        self.files[shown] = *self._append(data), len(data)

    def add_top_level(self, record, shown):
        """Adds the modules of a package whose build did not list them, as `importlib.metadata` infers them from its files."""
        paths = [line.split(",")[0] for line in read(record).decode().splitlines()]
        tops = {path.partition("/")[0].partition(".")[0] for path in paths if path.endswith((".py", *LIBRARY_SUFFIXES))}
        text = "".join(f"{top}\n" for top in sorted(tops) if top.isidentifier()).encode()
        self.files[shown] = *self._append(text), len(text)

    def add_library(self, relative):
        for suffix in LIBRARY_SUFFIXES:
            if relative.endswith(suffix):
                self.libraries[relative.removesuffix(suffix).replace("/", ".")] = relative
                return

    def add_about(self, absolute, packages):
        about = json.loads(read(absolute))
        for name, path in {**about["libraries"], **about["test-libraries"]}.items():
            # Libraries for the package's own tests are left out of most images.
            if os.path.exists(os.path.join(packages, path)):
                self.libraries[name] = path
        self.preload += about["preload"]

    def write(self, path):
        index = marshal.dumps((self.modules, self.files, self.libraries, self.preload))
        with open(path, "wb") as file:
            file.write(len(index).to_bytes(8, "little"))
            file.write(index)
            file.write(self.blob)


def main():
    store = Store()
    # Earlier roots take precedence: modules of Isolette may replace modules of the standard library.
    for relative, absolute in modules_and_files(os.path.join(HERE, "sources"), frozenset()):
        if relative.endswith(".py"):
            store.add_module(relative, absolute, "/isolette/" + relative)
    for relative, absolute in modules_and_files(STANDARD_LIBRARY, EXCLUDED):
        if relative.endswith(".py"):
            store.add_module(relative, absolute, "/python/" + relative)
    packages = os.path.join(HERE, "packages")
    if os.path.isdir(packages):
        for relative, absolute in modules_and_files(packages, EXCLUDED_FROM_PACKAGES):
            shown = "/packages/" + relative
            if relative.endswith(".py"):
                store.add_module(relative, absolute, shown)
            elif relative.endswith(LIBRARY_SUFFIXES):
                store.add_library(relative)
            elif relative.endswith(ABOUT):
                store.add_about(absolute, packages)
            elif is_data(relative):
                store.add_file(absolute, shown)
            elif relative.endswith(".dist-info/RECORD"):
                top_level = relative.replace("/RECORD", "/top_level.txt")
                if not os.path.exists(os.path.join(packages, top_level)):
                    store.add_top_level(absolute, "/packages/" + top_level)
    store.write(os.path.join(HERE, "store.bin"))


sys.dont_write_bytecode = True
main()


class Runner(wit_world.exports.Runner):
    """The export that the world requires. The host never calls it."""

    def run(self, request):
        raise NotImplementedError
