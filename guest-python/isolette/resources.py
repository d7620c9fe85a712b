"""`importlib.resources` over the data files of the store."""

import io
from importlib.resources.abc import Traversable, TraversableResources


class Reader(TraversableResources):
    """The resources of one package."""

    def __init__(self, store, folder):
        self._root = _Node(store, folder)

    def files(self):
        return self._root


class _Node(Traversable):
    """A file or directory in the store."""

    def __init__(self, store, path):
        self._store = store
        self._path = path

    @property
    def name(self):
        return self._path.rpartition("/")[2]

    def is_file(self):
        return self._path in self._store.data_paths()

    def is_dir(self):
        return any(path.startswith(self._path + "/") for path in self._store.data_paths())

    def iterdir(self):
        start = self._path + "/"
        names = {path[len(start) :].partition("/")[0] for path in self._store.data_paths() if path.startswith(start)}
        return (_Node(self._store, start + name) for name in sorted(names))

    def joinpath(self, *descendants):
        path = "/".join([self._path, *map(str, descendants)])
        return _Node(self._store, path.replace("//", "/"))

    __truediv__ = joinpath

    def open(self, mode="r", *arguments, **options):
        data = io.BytesIO(self._store.get_data(self._path))
        return data if "b" in mode else io.TextIOWrapper(data, *arguments, **options)

    def read_bytes(self):
        return self._store.get_data(self._path)

    def read_text(self, encoding=None, errors=None):
        return self.read_bytes().decode(encoding or "utf-8", errors or "strict")

    def __str__(self):
        return self._path
