"""The classes, encoders and decoders of an interface. Each is created on first use."""

import inspect

from isolette.capabilities import decoding, encoding, names, resources
from isolette.capabilities import types as classes
from isolette.capabilities.description import Description
from isolette.capabilities.functions import function
from isolette.capabilities.values import Err, Ok, Some


class Interface(Description):
    """A description, with the classes, encoders and decoders that were created so far."""

    def __init__(self, description):
        super().__init__(description)
        self.names = {names.pascal(definition["name"]): index for index, definition in enumerate(self.types)}
        self._classes = {}
        self._encoders = {}
        self._decoders = {}
        self._errors = None

    def type(self, index):
        """Returns the class of a type."""
        made = self._classes.get(index)
        if made is None:
            made = self._classes[index] = self._made(index)
        return made

    def _made(self, index):
        definition = self.types[index]
        match definition["kind"]:
            case "record":
                return classes.record(self, definition, self.is_error(definition))
            case "variant":
                return classes.variant(self, definition, self.is_error(definition))
            case "enum":
                return classes.enumeration(self, definition)
            case "flags":
                return classes.flags(self, definition)
            case "resource":
                return _resource(self, definition)
        return _alias(self, definition)

    def is_error(self, definition):
        """Returns whether a function returns values of the type as error."""
        if self._errors is None:
            self._errors = self.errors()
        return any(self.types[index] is definition for index in self._errors)

    def case(self, variant, case):
        """Returns the class of a case of a variant."""
        return vars(variant)[names.pascal(case["name"])]

    def encoder(self, index):
        """Returns the encoder of a record or variant."""
        made = self._encoders.get(index)
        if made is None:
            made = self._encoders[index] = encoding.named(self, index)
        return made

    def decoder(self, index):
        """Returns the decoder of a record or variant."""
        made = self._decoders.get(index)
        if made is None:
            made = self._decoders[index] = decoding.named(self, index)
        return made


def _resource(interface, definition):
    """Returns a class with the constructor, methods and static functions of a resource."""
    name = definition["name"]
    own = names.pascal(name)
    namespace = {
        "__slots__": (),
        "__doc__": definition.get("docs"),
        "__module__": interface.module,
        "__qualname__": own,
        "close": resources.close,
        "_interface": interface.name,
        "_name": name,
    }
    for wit_name, own_definition in interface.functions.items():
        kind, _, rest = wit_name.removeprefix("[").partition("]")
        resource, _, member = rest.partition(".")
        if resource != name or kind not in ("constructor", "method", "static"):
            continue
        if kind == "constructor":
            namespace["__init__"] = _constructor(function(interface, own_definition, own, own))
            continue
        member = names.snake(member)
        made = function(interface, own_definition, member, f"{own}.{member}")
        namespace[member] = staticmethod(made) if kind == "static" else made
    return type(own, (resources.Resource,), namespace)


def _constructor(construct):
    def __init__(self, *arguments, **keywords):
        resources.move(self, construct(*arguments, **keywords))

    __init__.__qualname__ = f"{construct.__qualname__}.__init__"
    __init__.__module__ = construct.__module__
    __init__.__doc__ = construct.__doc__
    signature = construct.__signature__
    itself = inspect.Parameter("_self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = signature.replace(parameters=[itself, *signature.parameters.values()])
    return __init__


def _alias(interface, definition):
    """Returns the type of an alias: a class, or a type such as `list[str]`."""
    return eval(interface.annotation(definition["type"]), {"Some": Some, "Ok": Ok, "Err": Err}, _Names(interface))


class _Names:
    """Maps Python names to the types of an interface."""

    def __init__(self, interface):
        self._interface = interface

    def __getitem__(self, name):
        return self._interface.type(self._interface.names[name])
