"""Modules that a program writes and imports: everything as with files on a computer."""

import importlib
import importlib.util
import inspect
import os
import pickle
import pkgutil
import runpy
import sys
import tempfile
import textwrap
import traceback
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True
folder = Path(tempfile.mkdtemp())
os.chdir(folder)
sys.path.insert(0, "")


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(textwrap.dedent(text))


def place(path):
    return os.path.relpath(os.path.realpath(path), os.path.realpath(folder))


print("# a module in the working directory")
write("helper.py", "VALUE = 1\n\ndef double(x):\n    return 2 * x\n")
import helper

print(helper.VALUE, helper.double(21), helper.__name__, place(helper.__file__), helper.__package__ == "")
print(inspect.getsource(helper.double), end="")
print(inspect.getsource(helper) == Path("helper.py").read_text(), type(helper.__loader__).__name__)
print(helper.__spec__.origin == helper.__file__, helper.__cached__ is None or "__pycache__" in helper.__cached__)

print("# a module that is written after a failed import")
for attempt in range(2):
    try:
        import late

        print(late.VALUE)
    except ModuleNotFoundError as error:
        print(type(error).__name__, error, error.name)
        write("late.py", "VALUE = 'written'")
        importlib.invalidate_caches()

print("# one that is written again, with the same length, and loaded again")
for value in "abc":
    write("changing.py", f"VALUE = '{value}'")
    if "changing" in sys.modules:
        importlib.reload(sys.modules["changing"])
    import changing

    print(changing.VALUE, inspect.getsource(changing).strip() if value == "a" else "")
del sys.modules["changing"]
write("changing.py", "VALUE = 'd'")
print(importlib.import_module("changing").VALUE)

print("# a folder that was listed before")
write("listed/first.py", "NAME = 'first'")
sys.path.insert(0, "listed")
import first

write("listed/second.py", "NAME = 'second'")
importlib.invalidate_caches()
import second

print(first.NAME, second.NAME, place(second.__file__))
sys.path.remove("listed")

print("# packages")
write("shop/__init__.py", "from .prices import total\n__all__ = ['total']\n")
write("shop/prices.py", "from . import units\nfrom .deep.er import DEPTH\n\ndef total(n):\n    return n * units.PRICE + DEPTH\n")
write("shop/units.py", "PRICE = 7\n")
write("shop/deep/__init__.py", "")
write("shop/deep/er.py", "from ..units import PRICE\nDEPTH = PRICE\n")
write("shop/__main__.py", "import sys\nprint('main of', __package__, __name__, sys.argv[1:])\n")
import shop
import shop.deep.er as er
from shop import units

print(shop.total(2), er.DEPTH, units.PRICE, shop.__path__ is not None, [place(path) for path in shop.__path__])
print(sorted(info.name for info in pkgutil.iter_modules(shop.__path__)))
print(sorted(info.name for info in pkgutil.walk_packages(shop.__path__, "shop.")))
print(pkgutil.get_data("shop", "units.py"), pkgutil.resolve_name("shop.prices:total")(1))
print(importlib.import_module(".units", "shop") is units)
try:
    import shop.missing
except ModuleNotFoundError as error:
    print(error, "|", error.name)
try:
    from shop import missing
except ImportError as error:
    print(str(error).partition(" (")[0], "|", error.name)
write("shop/missing.py", "HERE = True")
importlib.invalidate_caches()
from shop import missing

print(missing.HERE)

print("# packages without __init__.py, in two folders")
write("one/space/left.py", "SIDE = 'left'")
write("two/space/right.py", "SIDE = 'right'")
sys.path[:0] = [str(folder / "one"), str(folder / "two")]
import space.left
import space.right

print(space.left.SIDE, space.right.SIDE, [place(path) for path in space.__path__], space.__file__ if hasattr(space, "__file__") else None)
del sys.path[:2]

print("# other ways to run a file")
write("script.py", "import sys\nRESULT = __name__, 'script' in sys.modules\nif __name__ == '__main__':\n    print('as main')\n")
print(runpy.run_path("script.py")["RESULT"])
print(runpy.run_path("script.py", run_name="__main__", init_globals={"given": 1})["given"])
print(runpy.run_module("script")["RESULT"])
runpy.run_module("shop", run_name="__main__", alter_sys=True)
spec = importlib.util.spec_from_file_location("other_name", "script.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(module.RESULT, importlib.util.find_spec("script").name, importlib.util.find_spec("nowhere"))
namespace = {}
exec(compile(Path("script.py").read_text(), "script.py", "exec"), {"__name__": "executed"}, namespace)
print(namespace["RESULT"])

print("# an archive")
with zipfile.ZipFile("archive.zip", "w") as archive:
    archive.writestr("zipped.py", "VALUE = 'from the archive'\n")
    archive.writestr("packed/__init__.py", "")
    archive.writestr("packed/inside.py", "def f():\n    raise KeyError('inside')\n")
sys.path.insert(0, "archive.zip")
import packed.inside
import zipped

print(zipped.VALUE, type(zipped.__loader__).__name__, place(zipped.__file__), sorted(i.name for i in pkgutil.iter_modules(["archive.zip"])))
print(inspect.getsource(packed.inside.f), end="")
sys.path.remove("archive.zip")

print("# tracebacks and errors")
write("failing.py", "def fail(x):\n    # a comment\n    return 1 / x\n")
write("broken.py", "x = 1\ndef broken(:\n    pass\n")
write("raising.py", "value = 5\nraise RuntimeError(f'at import {value}')\n")
import failing

try:
    failing.fail(0)
except ZeroDivisionError as error:
    last = traceback.extract_tb(error.__traceback__)[-1]
    print(place(last.filename), last.lineno, last.name, last.line)
try:
    import broken
except SyntaxError as error:
    print(error.msg, place(error.filename), error.lineno, error.text)
try:
    import raising
except RuntimeError as error:
    frames = traceback.extract_tb(error.__traceback__)
    print(error, [(place(frame.filename), frame.lineno, frame.line) for frame in frames[-1:]], "raising" in sys.modules)
    print([frame.name for frame in frames])

print("# circular imports")
write("chicken.py", "import egg\nNAME = 'chicken'\ndef other():\n    return egg.NAME\n")
write("egg.py", "import chicken\nNAME = 'egg'\ndef other():\n    return chicken.NAME\n")
import chicken

print(chicken.other(), chicken.egg.other())
write("bad_circle.py", "from bad_half import B\nA = 1\n")
write("bad_half.py", "from bad_circle import A\nB = 1\n")
try:
    import bad_circle
except ImportError as error:
    print(type(error).__name__, str(error).partition(" (")[0])

print("# classes can be pickled")
write("models.py", """
    from dataclasses import dataclass
    from enum import Enum

    class Colour(Enum):
        RED = 1

    @dataclass
    class Point:
        x: int
        colour: Colour = Colour.RED
""")
from models import Colour, Point

print(pickle.loads(pickle.dumps([Point(1), Colour.RED])), inspect.getsource(Point).splitlines()[:2])
data = pickle.dumps(Point(2))
del sys.modules["models"], Point
print(pickle.loads(data), "models" in sys.modules)

print("# after a change of the working directory")
os.mkdir("elsewhere")
os.chdir("elsewhere")
write("there.py", "HERE = True\n")
import there

print(there.HERE, place(there.__file__))
os.chdir(folder)

print("# modules in place of those of the standard library")
write("own/colorsys.py", "OWN = True\n")
sys.modules.pop("colorsys", None)
sys.path.insert(0, str(folder / "own"))
import colorsys

print(colorsys.OWN)
sys.path.pop(0)
del sys.modules["colorsys"]
sys.path.append(str(folder / "own"))
import colorsys

print(hasattr(colorsys, "OWN"))
sys.path.pop()

print("# compiled files")
import py_compile

write("compiled.py", "VALUE = 'compiled'\n")
py_compile.compile("compiled.py", "only/compiled.pyc")
os.remove("compiled.py")
sys.path.insert(0, "only")
import compiled

print(compiled.VALUE, type(compiled.__loader__).__name__)

# Names that are paths name no modules.
for name in ["", ".", "..", "pkg/mod", "/tmp/changing", "../changing"]:
    try:
        __import__(name)
    except (ImportError, ValueError) as error:
        print(type(error).__name__, error)
