"""Imports interfaces. The last finder: modules of the image and of the program take precedence."""

import sys
from importlib.machinery import ModuleSpec

from componentize_py_types import Err
from wit_world.imports import capabilities

from isolette.capabilities import names, resources
from isolette.capabilities.errors import refused
from isolette.capabilities.module import InterfaceModule, Package
from isolette.compact_json import decode

# The interfaces of this run by module name, and the members of packages. None until the first import that no other finder
# resolves.
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
    """Returns the names of the interface modules of this run, sorted."""
    return sorted(_listed()[0])


def about(error):
    """Returns a hint for an import of a name that an interface or package does not have; None for other errors."""
    module = sys.modules.get(error.name)
    return f"{error.name} has {', '.join(module.__all__)}" if type(module) in (InterfaceModule, Package) else None


def begin(fresh):
    """Called before each run. Clears the list, because each run may have other interfaces."""
    global _listing
    if _listing is not None:
        _listing = None
    if fresh:
        resources.invalidate_handles()


class _Finder:
    """The finder and loader of interface modules."""

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
    """Resets the state to that before the first run."""
    global _listing
    for name in [name for name, module in sys.modules.items() if type(module) in (InterfaceModule, Package)]:
        del sys.modules[name]
    _listing = {}, {}
