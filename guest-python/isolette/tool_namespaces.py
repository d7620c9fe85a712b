"""`tools.github.create_issue(title="…")`: every tool by its name as a path, also to be imported.

    import tools
    from tools import github
    from tools.github import create_issue

Namespaces are created on first use, from one list of the host. The description of a tool (`help`, its signature) is requested
from the host when a program reads it.
"""

import ast
import difflib
import inspect
import keyword
import sys
import types
from importlib.machinery import ModuleSpec

from isolette import call_mode, overlap
from isolette.tools import call_tool, describe_tool, list_tools, search_tools, start_tool, tool_names

# The names of all tools, and their prefixes up to a dot. Requested once.
_names = None
_prefixes = None


def _listing():
    global _names, _prefixes
    if _names is None:
        _names = frozenset(tool_names())
        _prefixes = frozenset(_prefixes_of(_names))
    return _names, _prefixes


def _prefixes_of(names):
    for name in names:
        end = name.find(".")
        while end >= 0:
            yield name[:end]
            end = name.find(".", end + 1)


def forget():
    """Resets the state to that before the first use."""
    global _names, _prefixes
    _names = _prefixes = None
    for name in [name for name in sys.modules if name == "tools" or name.startswith("tools.")]:
        del sys.modules[name]
    tools._forget()


class _NoTool(KeyError):
    """Prints the message without quotation marks."""

    def __str__(self):
        return self.args[0]


_NoTool.__name__ = _NoTool.__qualname__ = "KeyError"


class Namespace(types.ModuleType):
    """Tools with a common prefix. A tool may have the name of a namespace; then the namespace is callable."""

    def __init__(self, path):
        super().__init__(f"tools.{path}" if path else "tools")
        self.__dict__["_path"] = path
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"{self.__name__} has no attribute {name!r}")
        member = self._member(name)
        if member is None and name.endswith("_"):
            # The suffix `_` gives access to a name that is a method or a keyword.
            member = self._member(name[:-1])
        if member is None:
            raise AttributeError(self._unknown(name))
        self.__dict__[name] = member
        return member

    def __getitem__(self, name):
        member = self._member(name)
        if member is None:
            raise _NoTool(self._unknown(name))
        return member

    def __call__(self, arguments=None, /, **keywords):
        return Tool(self._path)(arguments, **keywords)

    def __dir__(self):
        return sorted(self._members())

    def __repr__(self):
        return f"<namespace {self.__name__} of {len(self._members())} tools and namespaces>"

    def _member(self, name):
        names, prefixes = _listing()
        path = f"{self._path}.{name}" if self._path else name
        if path in prefixes:
            return Namespace(path)
        if path in names:
            return Tool(path)
        return None

    def _members(self):
        names, prefixes = _listing()
        start = f"{self._path}." if self._path else ""
        return {name[len(start) :].partition(".")[0] for name in names if name.startswith(start)}

    def _unknown(self, name):
        path = f"{self._path}.{name}" if self._path else name
        message = f"there is no tool or namespace tools.{path}"
        names, prefixes = _listing()
        near = difflib.get_close_matches(path, [*names, *prefixes], 3, 0.7)
        if near:
            return f"{message}\nhint: did you mean {' or '.join(f'tools.{other}' for other in near)}?"
        if not names:
            return f"{message}\nhint: this run has no tools"
        return f"{message}\nhint: tools.search('words') finds tools, dir({self.__name__}) lists what is here"


class Tools(Namespace):
    """All tools: `tools.github.create_issue(title="…")`, `tools.search("issues")`, `tools.describe("github.create_issue")`.

    `call`, `list`, `search` and `describe` are functions of this module. A tool or namespace of such a name is reached
    with `_` at its end (`tools.search_(…)`), or as `tools["search"]`.
    """

    def __init__(self):
        super().__init__("")
        self.__dict__.update(call=call_tool, list=list_tools, search=search_tools, describe=describe_tool)
        self._own = frozenset(self.__dict__)

    def __dir__(self):
        return sorted(self._members() | {"call", "list", "search", "describe"})

    def _forget(self):
        for name in [name for name in self.__dict__ if name not in self._own and name != "_own"]:
            del self.__dict__[name]


class Tool:
    """One tool, which accepts keyword arguments or a dict."""

    def __init__(self, path):
        self._path = path
        self.__name__ = path.rpartition(".")[2]
        self.__qualname__ = f"tools.{path}"
        self.__module__ = f"tools.{path}".rpartition(".")[0]

    def __call__(self, arguments=None, /, **keywords):
        if call_mode.tools.asynchronous and overlap.current is None:
            return start_tool(self._path, arguments, **_renamed(keywords))
        return call_tool(self._path, arguments, **_renamed(keywords))

    def start(self, arguments=None, /, **keywords):
        """Starts a call of this tool. Returns the call, to be awaited, or to be asked for its `result()`."""
        return start_tool(self._path, arguments, **_renamed(keywords))

    def __repr__(self):
        return f"<tool tools.{self._path}>"

    @property
    def declaration(self):
        """The signature of the tool and the types that it uses, as Python stub."""
        return describe_tool(self._path)["declaration"]

    @property
    def __doc__(self):
        try:
            function = _function(self.declaration)
            return f"{self.__name__}{_signature(function)}\n\n{ast.get_docstring(function) or ''}".rstrip()
        except Exception:
            # `help` does not expect errors.
            return None

    @property
    def __signature__(self):
        return _signature(_function(self.declaration))


def _renamed(keywords):
    """`from_=1` stands for `from=1`, which is a syntax error."""
    for name in keywords:
        if name.endswith("_") and keyword.iskeyword(name[:-1]):
            return {_without_suffix(name): value for name, value in keywords.items()}
    return keywords


def _without_suffix(name):
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def _function(declaration):
    """Returns the function in a declaration, which follows the types."""
    return next(node for node in reversed(ast.parse(declaration).body) if type(node) is ast.FunctionDef)


def _signature(function):
    """Returns the signature. Annotations are texts, because the types exist only in the declaration."""
    empty = inspect.Parameter.empty
    parameters = []
    for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults):
        value = empty if default is None else _Text(ast.unparse(default))
        parameters.append(_parameter(argument, inspect.Parameter.KEYWORD_ONLY, value))
    if function.args.kwarg is not None:
        parameters.append(_parameter(function.args.kwarg, inspect.Parameter.VAR_KEYWORD, empty))
    return inspect.Signature(parameters, return_annotation=_Text(ast.unparse(function.returns)))


def _parameter(argument, kind, default):
    return inspect.Parameter(argument.arg, kind, default=default, annotation=_Text(ast.unparse(argument.annotation)))


class _Text(str):
    """An annotation or default, printed without quotation marks."""

    def __repr__(self):
        return str(self)


class _Finder:
    """Imports `tools` and its namespaces. The last finder, because a program may have a module of that name."""

    def find_spec(self, name, path=None, target=None):
        if name != "tools" and not name.startswith("tools."):
            return None
        below = name.removeprefix("tools").removeprefix(".")
        if below and below not in _listing()[1]:
            return None
        return ModuleSpec(name, self, origin="tools of the host", is_package=True)

    def create_module(self, spec):
        module = tools
        for part in spec.name.split(".")[1:]:
            module = module[part]
        return module

    def exec_module(self, module):
        pass


tools = Tools()


def prepare():
    """Called once, while the image is built."""
    sys.meta_path.append(_Finder())
