"""`importlib.metadata` over the metadata of packages in the store: names, versions, entry points."""

import re
from importlib.metadata import Distribution, DistributionFinder

_METADATA = re.compile(r"/packages/([^/]+)-[^/-]+\.dist-info/METADATA")


class _StoredDistribution(Distribution):
    def __init__(self, store, folder):
        self._store = store
        self._folder = folder

    def read_text(self, filename):
        try:
            return self._store.get_data(f"{self._folder}/{filename}").decode()
        except FileNotFoundError:
            return None

    def locate_file(self, path):
        return f"/packages/{path}"


def find(store, context=None):
    """Yields the distributions that match the context."""
    context = context or DistributionFinder.Context()
    wanted = context.name and _normal(context.name)
    for path in store.data_paths():
        match = _METADATA.fullmatch(path)
        if match and wanted in (None, _normal(match[1])):
            yield _StoredDistribution(store, path.removesuffix("/METADATA"))


def _normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()
