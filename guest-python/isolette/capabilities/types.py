"""Classes for the types of an interface: records are dataclasses, variants have a subclass for each case."""

import dataclasses
import enum

from isolette.capabilities import names
from isolette.capabilities.errors import TypedError, describe

# Attributes of exceptions, which a field must not replace.
_RESERVED = frozenset(["args", "with_traceback", "add_note"])


def fields(definition, is_error):
    """Returns the Python names of the fields of a record."""
    found = [names.snake(field["name"]) for field in definition["fields"]]
    return [f"{name}_" if is_error and name in _RESERVED else name for name in found]


def record(description, definition, is_error):
    """Returns a dataclass with slots. Trailing option fields may be omitted."""
    members = fields(definition, is_error)
    optional = trailing_options(description, definition["fields"])
    made = []
    for position, (name, field) in enumerate(zip(members, definition["fields"])):
        # Without an explicit field, an attribute of a base class would become the default.
        default = dataclasses.field(default=None) if position >= optional else dataclasses.field()
        made.append((name, description.annotation(field["type"]), default))
    namespace = {"__doc__": _documentation(definition, zip(members, definition["fields"]), "Fields")}
    if is_error:
        namespace["__hash__"] = TypedError.__hash__
        namespace["_describe"] = lambda self: ", ".join(f"{name}={getattr(self, name)!r}" for name in members)
    made = dataclasses.make_dataclass(
        names.pascal(definition["name"]),
        made,
        bases=(TypedError,) if is_error else (),
        namespace=namespace,
        slots=True,
    )
    made.__module__ = description.module
    return made


def trailing_options(description, members):
    """Returns the index after which all fields or parameters are options."""
    count = len(members)
    while count > 0 and description.form(members[count - 1]["type"])[0] == "option":
        count -= 1
    return count


def variant(description, definition, is_error):
    """Returns a class with a subclass for each case: `Error.NotFound("x").value`."""
    name = names.pascal(definition["name"])
    base = type(
        name,
        (_Variant, TypedError) if is_error else (_Variant,),
        {
            "__slots__": (),
            "__doc__": _documentation(definition, _named(definition["cases"], names.pascal), "Cases"),
            "__module__": description.module,
            "__qualname__": name,
        },
    )
    for case in definition["cases"]:
        own = names.pascal(case["name"])
        made = type(
            own,
            (_Case if "type" in case else _EmptyCase, base),
            {
                "__slots__": ("value",) if "type" in case else (),
                "__doc__": case.get("docs"),
                "__module__": description.module,
                "__qualname__": f"{name}.{own}",
                "_name": case["name"],
            },
        )
        setattr(base, own, made)
    return base


class _Variant:
    """The base class of all variants. Only cases have instances."""

    __slots__ = ()

    def __init__(self, *arguments):
        name = type(self).__name__
        cases = ", ".join(f"{name}.{case}" for case, kind in vars(type(self)).items() if isinstance(kind, type))
        raise TypeError(f"{name} must be constructed as one of its cases: {cases}")

    def __repr__(self):
        return f"{type(self).__qualname__}()"

    def __eq__(self, other):
        return True if type(self) is type(other) else NotImplemented

    def __hash__(self):
        return hash(type(self))

    def _describe(self):
        return self._name


class _EmptyCase(_Variant):
    """A case without a payload."""

    __slots__ = ()
    __match_args__ = ()
    value = None

    def __init__(self):
        pass


class _Case(_Variant):
    """A case with a payload."""

    __slots__ = ()
    __match_args__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f"{type(self).__qualname__}({self.value!r})"

    def __eq__(self, other):
        return self.value == other.value if type(self) is type(other) else NotImplemented

    def __hash__(self):
        # `traceback` keeps exceptions in sets, even if their payload is not hashable.
        return hash(type(self)) if isinstance(self, TypedError) else hash((type(self), self.value))

    def _describe(self):
        return f"{self._name}: {describe(self.value)}"


class _Enumeration(enum.Enum):
    """The value of a member is its name in WIT."""

    def _describe(self):
        return self._value_


def enumeration(description, definition):
    """Returns an enumeration with members in upper case: `Sky.CLEAR`."""
    members = [(names.upper(case["name"]), case["name"]) for case in definition["cases"]]
    return _enumeration(_Enumeration, description, definition, members, definition["cases"])


def flags(description, definition):
    """Returns flags with members in upper case: `Days.MONDAY | Days.FRIDAY`."""
    members = [(names.upper(flag["name"]), 1 << bit) for bit, flag in enumerate(definition["flags"])]
    return _enumeration(enum.Flag, description, definition, members, definition["flags"])


def _enumeration(base, description, definition, members, documented):
    name = names.pascal(definition["name"])
    made = base(name, members, module=description.module, qualname=name)
    made.__doc__ = _documentation(definition, _named(documented, names.upper), "Members")
    return made


def _named(members, name):
    return [(name(member["name"]), member) for member in members]


def _documentation(definition, members, title):
    """Returns the documentation of a type and its members."""
    text = definition.get("docs") or f"The {definition['kind']} {definition['name']}."
    lines = [f"    {name}: {member['docs']}" for name, member in members if member.get("docs")]
    return "\n".join([text, "", f"{title}:", *lines]) if lines else text
