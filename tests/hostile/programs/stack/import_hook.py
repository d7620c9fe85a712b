# An import that imports itself.
# expect: exception RecursionError

import importlib
import sys


class Finder:
    def find_spec(self, name, path=None, target=None):
        return importlib.import_module(name + "x" if len(name) < 50 else name[:5] + str(len(sys.modules)))


sys.meta_path.insert(0, Finder())
import nowhere
