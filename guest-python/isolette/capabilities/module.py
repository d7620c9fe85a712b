"""The modules of interfaces and their packages."""

import difflib
import importlib
import types

from isolette.capabilities import names
from isolette.capabilities.functions import function
from isolette.capabilities.interface import Interface

_SUGGESTION_LIMIT = 3


class InterfaceModule(types.ModuleType):
    """The functions and types of one interface, each created on first use."""

    def __init__(self, description):
        interface = Interface(description)
        super().__init__(interface.module, interface.docs)
        functions = {names.snake(name): function for name, function in interface.functions.items() if name[0] != "["}
        self.__dict__.update(
            _interface=interface,
            _functions=functions,
            __all__=sorted([*interface.names, *functions]),
            __version__=interface.name.partition("@")[2] or None,
        )

    def __getattr__(self, name):
        interface = self._interface
        if name in interface.names:
            member = interface.type(interface.names[name])
        elif name in self._functions:
            member = function(interface, self._functions[name], name, name)
        else:
            raise _missing(self, name, self.__all__)
        self.__dict__[name] = member
        return member

    def __dir__(self):
        return [*self.__all__, "__doc__", "__name__", "__version__"]

    def __repr__(self):
        return f"<module {self.__name__!r} of the interface {self._interface.name}>"


class Package(types.ModuleType):
    """A package that contains interface modules."""

    def __init__(self, name, members):
        super().__init__(name, f"Interfaces that the host serves: {', '.join(members)}.")
        self.__path__ = []
        self.__all__ = members

    def __getattr__(self, name):
        if name not in self.__all__:
            raise _missing(self, name, self.__all__)
        return importlib.import_module(f"{self.__name__}.{name}")

    def __dir__(self):
        return self.__all__


def _missing(module, name, members):
    message = f"module {module.__name__!r} has no attribute {name!r}"
    if not name.startswith("_"):
        near = difflib.get_close_matches(name, members, _SUGGESTION_LIMIT)
        advice = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(members)}"
        message = f"{message}\nhint: {advice}"
    return AttributeError(message, name=name, obj=module)
