"""Tools: functions of the embedder that programs can call."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, overload

from . import _docstrings, _native, _schema
from ._approval import is_async
from ._checks import kind, mapping, optional, texts
from ._fits import fits
from .errors import InvalidArgument

F = TypeVar("F", bound=Callable[..., Any])


class Tool:
    """A function that programs call with `call_tool(name, …)`. It runs in this process, with its rights.

    Arguments are compared with the schema before the function is called. If it raises an exception, the program gets a
    `ToolError` with the class and the message; an `isolette.ToolError` is passed on with its message alone.

    A function that is not asynchronous is called on a thread of the sandbox, with the context variables of the caller of the
    run. An asynchronous one is awaited on the event loop of that caller, or, if the run was started without one, on a loop of
    the package that lasts as long as the process.

    :param function: The function. Schema, name and descriptions come from its signature and its docstring.
    :param name: The name for programs. Default: that of the function.
    :param description: What the tool does. Default: the docstring up to its list of parameters.
    :param input_schema: The JSON Schema (2020-12) of the arguments, an object. Default: derived from the annotations.
    :param output_schema: The JSON Schema of the result. Default: derived from the annotation, if there is one.
    :param strict_results: Whether a result that does not fit its schema fails the call.
    :param needs_approval: Whether each call needs the consent of an approver, unless an approval rule decides otherwise.
    :param tags: Tags that searches can filter by.
    :param read_only: A hint: it changes nothing.
    :param destructive: A hint: it can delete or overwrite something.
    :param idempotent: A hint: repeated calls with the same arguments have no further effect.
    :param open_world: A hint: it reaches systems outside of this machine.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
        strict_results: bool = False,
        needs_approval: bool = False,
        tags: Iterable[str] = (),
        read_only: bool | None = None,
        destructive: bool | None = None,
        idempotent: bool | None = None,
        open_world: bool | None = None,
    ) -> None:
        if not callable(function):
            raise TypeError(f"`function` must be a function, not {type(function).__name__}")
        described, parameters = _docstrings.parse(_documented(function))
        name = optional("name", name, str, "str")
        if name is None:
            name = _name(function)
        description = optional("description", description, str, "str")
        called = function
        if input_schema is None:
            input_schema, called = _of_signature(function, name, parameters)
        if output_schema is None:
            output_schema = _of_result(function, name)
        self._define(
            name,
            described if description is None else description,
            mapping("input_schema", input_schema),
            called,
            output_schema=optional("output_schema", output_schema, (Mapping,), "a dict"),
            strict_results=strict_results,
            needs_approval=needs_approval,
            tags=tags,
            read_only=read_only,
            destructive=destructive,
            idempotent=idempotent,
            open_world=open_world,
        )

    @classmethod
    def deferred(
        cls,
        name: str,
        description: str = "",
        input_schema: Mapping[str, Any] | None = None,
        *,
        output_schema: Mapping[str, Any] | None = None,
        needs_approval: bool = False,
        tags: Iterable[str] = (),
    ) -> Tool:
        """Makes a tool without a function: a program that calls it is paused, and the caller answers later.

        Only programs of `Sandbox.start` can be paused. In other runs the call fails.
        """
        tool = cls.__new__(cls)
        tool._define(
            kind("name", name, str, "str"),
            kind("description", description, str, "str"),
            {"type": "object"} if input_schema is None else mapping("input_schema", input_schema),
            None,
            output_schema=optional("output_schema", output_schema, (Mapping,), "a dict"),
            needs_approval=needs_approval,
            tags=tags,
        )
        return tool

    def _define(
        self,
        name: str,
        description: str,
        input_schema: dict[str, Any],
        function: Callable[..., Any] | None,
        *,
        output_schema: Mapping[str, Any] | None,
        needs_approval: bool,
        tags: Iterable[str],
        strict_results: bool = False,
        **hints: bool | None,
    ) -> None:
        hints = {**dict.fromkeys(("read_only", "destructive", "idempotent", "open_world")), **hints}
        for hint, value in hints.items():
            optional(hint, value, bool, "bool")
        self._name, self._description, self._input_schema = name, description, input_schema
        self._output_schema = None if output_schema is None else dict(output_schema)
        self._native = _native.Tool(
            {
                "name": name,
                "description": description,
                "input_schema": input_schema,
                "output_schema": self._output_schema,
                "function": function,
                "is_async": function is not None and is_async(function),
                "tags": texts("tags", tags),
                "needs_approval": kind("needs_approval", needs_approval, bool, "bool"),
                "strict_results": kind("strict_results", strict_results, bool, "bool"),
                **hints,
            }
        )

    @property
    def name(self) -> str:
        """The name for programs."""
        return self._name

    @property
    def description(self) -> str:
        """What the tool does."""
        return self._description

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments."""
        return self._input_schema

    @property
    def output_schema(self) -> dict[str, Any] | None:
        """The JSON Schema of the result."""
        return self._output_schema

    def __repr__(self) -> str:
        return f"<isolette.Tool {self._name}>"


@overload
def tool(function: F, /) -> Tool: ...
@overload
def tool(**options: Any) -> Callable[[Callable[..., Any]], Tool]: ...


def tool(function: Callable[..., Any] | None = None, /, **options: Any) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Makes a tool of a function, as a decorator: `@tool` or `@tool(needs_approval=True)`, with the options of `Tool`."""
    if function is not None:
        return Tool(function, **options)
    return lambda function: Tool(function, **options)


def as_tool(name: str, value: Any) -> _native.Tool:
    """A tool for the native module, of a tool or a function."""
    if isinstance(value, Tool):
        return value._native
    if callable(value):
        return Tool(value)._native
    raise TypeError(f"`{name}` must be a Tool or a function, not {type(value).__name__}")


def _documented(function: Any) -> Any:
    return _documented(function.func) if isinstance(function, functools.partial) else function


def _name(function: Any) -> str:
    name = getattr(_documented(function), "__name__", None) or type(function).__name__
    if name == "<lambda>":
        raise InvalidArgument("a lambda has no name", "pass `name`, or define a function")
    return name


def _hints(function: Any, name: str) -> dict[str, Any]:
    function = inspect.unwrap(_documented(function))
    if not inspect.isroutine(function) and not isinstance(function, type):
        function = type(function).__call__
    try:
        return typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise InvalidArgument(
            f"an annotation of `{name}` cannot be resolved: {error}",
            "import the type where the function is defined, or pass `input_schema`",
        ) from None


def _of_signature(function: Any, name: str, descriptions: dict[str, str]) -> tuple[dict[str, Any], Callable[..., Any]]:
    """The schema of the parameters, and the function to call with values of JSON."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise InvalidArgument(f"`{name}` has no signature", "pass `input_schema`") from None
    hints = _hints(function, name)
    schemas = _schema.Schemas()
    properties: dict[str, Any] = {}
    required: list[str] = []
    converts: dict[str, _schema.Convert] = {}
    positional: dict[str, Any] = {}
    takes_more = False
    for parameter in parameters:
        place = f"parameter `{parameter.name}` of `{name}`"
        if parameter.kind is parameter.VAR_POSITIONAL:
            continue
        if parameter.kind is parameter.VAR_KEYWORD:
            takes_more = True
            continue
        if parameter.kind is parameter.POSITIONAL_ONLY:
            positional[parameter.name] = parameter.default
        has_default = parameter.default is not parameter.empty
        annotation = hints.get(parameter.name, Any)
        schema, convert = schemas.of(annotation, place)
        if parameter.name in descriptions and "description" not in schema:
            schema = {**schema, "description": descriptions[parameter.name]}
        if has_default:
            schema = _with_default(schema, parameter.default)
        else:
            required.append(parameter.name)
        properties[parameter.name] = schema
        if convert is not None:
            converts[parameter.name] = convert
    input_schema: dict[str, Any] = {"type": "object", "properties": properties}
    if schemas.definitions:
        input_schema["$defs"] = schemas.definitions
    if required:
        input_schema["required"] = required
    if not takes_more:
        input_schema["additionalProperties"] = False
    return input_schema, _adapted(function, converts, positional)


def _with_default(schema: dict[str, Any], default: Any) -> dict[str, Any]:
    """Adds a default, which a model reads. One that JSON does not have is left out."""
    if default is None:
        return schema if not schema or fits(schema, None, {}) else {"anyOf": [schema, {"type": "null"}]}
    is_plain = isinstance(default, (bool, str, int, float))
    if not is_plain or (not isinstance(default, (bool, str)) and not -(1 << 63) <= default < 1 << 63):
        return schema
    if isinstance(default, str) and any("\ud800" <= character <= "\udfff" for character in default):
        return schema
    return {**schema, "default": default}


def _adapted(function: Any, converts: dict[str, _schema.Convert], positional: dict[str, Any]) -> Callable[..., Any]:
    """The function, with conversions where the values of JSON are others."""
    if not converts and not positional:
        unchanged: Callable[..., Any] = function
        return unchanged

    def converted(values: dict[str, Any]) -> dict[str, Any]:
        for name, convert in converts.items():
            value = values.get(name)
            if value is not None:
                values[name] = convert(value)
        return values

    def arguments(values: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        made = converted(values)
        given = max((index for index, name in enumerate(positional, 1) if name in made), default=0)
        # Those before the last one that was passed have their defaults.
        first = [made.pop(name, default) for name, default in list(positional.items())[:given]]
        return first, made

    if is_async(function):

        async def call_async(**values: Any) -> Any:
            first, others = arguments(values)
            return await function(*first, **others)

        return call_async

    def call(**values: Any) -> Any:
        return function(**converted(values))

    def call_positional(**values: Any) -> Any:
        first, others = arguments(values)
        return function(*first, **others)

    return call_positional if positional else call


def _of_result(function: Any, name: str) -> dict[str, Any] | None:
    """The schema of the result, if its annotation has one."""
    try:
        annotation = _hints(function, name).get("return", Any)
        schemas = _schema.Schemas(of_results=True)
        schema, _ = schemas.of(annotation, "the result")
    except (InvalidArgument, TypeError):
        return None
    if schemas.definitions:
        schema = {**schema, "$defs": schemas.definitions}
    return schema or None
