"""Answers imports of interfaces, after everybody else: a module of the image or of the program's own comes first."""

import sys
from importlib.machinery import ModuleSpec

from componentize_py_types import Err
from wit_world.imports import capabilities

from isolette.capabilities import names, resources
from isolette.capabilities.errors import refused
from isolette.capabilities.module import InterfaceModule, Package
from isolette.compact_json import decode

# The interfaces of this run by the modules that they are, and the packages with what is in them. None until an import
# asks for something that nobody else has.
_listing = {}, {}


def _listed():
    global _listing
    if _listing is None:
        interfaces = {}
        packages = {}
        for summary in capabilities.list_interfaces():
            name = names.module(summary.name)
            interfaces[name] = summary.name.partition("@")[0]
            while (end := name.rfind(".")) >= 0:
                packages.setdefault(name[:end], set()).add(name[end + 1 :])
                name = name[:end]
        _listing = interfaces, packages
    return _listing


def interface_modules():
    """The modules that this run can import, sorted."""
    return sorted(_listed()[0])


def begin(fresh):
    """Called before each run. Whether it has other interfaces than the one before, only the host knows."""
    global _listing
    if _listing is not None:
        _listing = None
    if fresh:
        resources.begin_era()


class _Finder:
    """Finder and loader in one."""

    def find_spec(self, name, path=None, target=None):
        interfaces, packages = _listed()
        if name in interfaces:
            return ModuleSpec(name, self, origin=interfaces[name])
        if name in packages:
            return ModuleSpec(name, self, origin="interfaces of the host", is_package=True)
        return None

    def create_module(self, spec):
        interfaces, packages = _listed()
        if spec.name in packages and spec.name not in interfaces:
            return Package(spec.name, sorted(packages[spec.name]))
        try:
            return InterfaceModule(decode(capabilities.describe_interface(interfaces[spec.name])))
        except Err as error:
            failure = refused(error.value, interfaces[spec.name])
        raise ImportError(str(failure), name=spec.name) from failure

    def exec_module(self, module):
        pass


def prepare():
    """Called once, while the image is built."""
    sys.meta_path.append(_Finder())


def forget():
    """As if there had been no run before."""
    global _listing
    for name in [name for name, module in sys.modules.items() if type(module) in (InterfaceModule, Package)]:
        del sys.modules[name]
    _listing = {}, {}
