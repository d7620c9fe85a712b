"""Names: global, nonlocal, closures, `del`, `exec`, late binding."""

x = "global"


def outer():
    x = "outer"

    def inner():
        nonlocal x
        x = "changed"
        return x

    def shadow():
        x = "local"
        return x

    return inner(), shadow(), x


print(outer(), x)


def unbound():
    try:
        print(y)
        y = 1
    except UnboundLocalError as error:
        print(type(error).__name__)


unbound()
try:
    print(never_defined)
except NameError as error:
    print(error)
z = 1
del z
print("z" in globals())
namespace = {}
exec("a = 1\ndef f(): return a + b\nb = 2", namespace)
print(namespace["f"](), eval("a + 1", namespace), eval("x + y", {"x": 1, "y": 2}))
code = compile("3 * 4", "<expression>", "eval")
print(eval(code), sorted(k for k in (lambda a, b=2: locals())(1)))
print(__name__, [name for name in ("print", "len") if name in dir(__builtins__)])
