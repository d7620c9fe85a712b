"""`exec`, `eval`, `compile`, modules made by hand, `importlib`."""

import importlib
import sys
import types

module = types.ModuleType("made", "A module.")
exec("def hello(name): return f'hello {name}'\nVALUE = 41 + 1", module.__dict__)
sys.modules["made"] = module
import made

print(made.hello("you"), made.VALUE, made.__doc__, importlib.import_module("made") is made)
print(
    eval("[x for x in range(n)]", {"n": 3}),
    importlib.import_module("json").dumps([1]),
    importlib.util.find_spec("no_such_module_here"),
)
try:
    exec("def broken(:", {})
except SyntaxError as error:
    print(type(error).__name__, error.lineno)
try:
    exec(compile("a = 1\nb = undefined", "made.py", "exec"))
except NameError as error:
    print(error, error.__traceback__.tb_next.tb_lineno)
try:
    import no_such_module_here
except ModuleNotFoundError as error:
    print(error.name)
try:
    from json import no_such_name
except ImportError as error:
    print(error.name)
code = compile("x * 2", "<e>", "eval")
print(eval(code, {"x": 21}), code.co_names, [type(f).__name__ for f in (lambda: 0, print, [].append)])
print(types.SimpleNamespace(a=1, b=2), types.MappingProxyType({"k": 1})["k"], type("X", (), {})().__class__.__name__)
