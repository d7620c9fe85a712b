"""`with`: own classes, `contextlib`, suppression, stacks."""

import contextlib
import io


class Managed:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, error, traceback):
        print("exit", self.name, kind.__name__ if kind else None)
        return kind is ValueError


with Managed("a") as a, Managed("b"):
    print(a.name)
with Managed("c"):
    raise ValueError("swallowed")
try:
    with Managed("d"):
        raise KeyError
except KeyError:
    print("not swallowed")


@contextlib.contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name.upper()
    finally:
        print(f"</{name}>")


with tag("p") as value:
    print(value)


@tag("div")
def decorated():
    print("inside")


decorated()
with contextlib.suppress(ZeroDivisionError):
    1 / 0
with contextlib.redirect_stdout(io.StringIO()) as captured:
    print("hidden")
print(repr(captured.getvalue()))
with contextlib.ExitStack() as stack:
    for name in "xy":
        stack.enter_context(Managed(name))
    stack.callback(print, "callback")
with contextlib.closing(io.StringIO("t")) as text:
    print(text.read())
print(text.closed)
with contextlib.nullcontext(5) as five, tag("b") as t:
    print(five, t)
