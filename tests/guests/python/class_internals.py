"""Bound methods, `__dict__`, `__class__`, monkeypatching, MRO conflicts, `__new__`, singletons, `__init_subclass__`."""

import types


class Base:
    kind = "base"

    def __new__(cls, *args):
        instance = super().__new__(cls)
        instance.made_by = cls.__name__
        return instance

    def hello(self):
        return f"hello from {self.kind}"


class Child(Base):
    kind = "child"


b, c = Base(), Child()
print(b.made_by, c.made_by, c.hello(), Base.hello(c), b.hello.__self__ is b, Child.__bases__, "hello" in Base.__dict__)
Base.extra = lambda self, n: n * 2
c.hello = types.MethodType(lambda self: "patched", c)
print(c.extra(4), c.hello(), Child().hello(), b.__class__.__name__)
b.__class__ = Child
print(b.hello(), isinstance(b, Child), Child.mro()[1] is Base)
try:
    type("Bad", (Base, Child), {})
except TypeError as error:
    print("MRO" in str(error))


class Money(float):
    def __new__(cls, amount):
        return super().__new__(cls, round(amount, 2))

    def __str__(self):
        return f"€{float(self):.2f}"


print(Money(3.14159), Money(1) + 1, type(Money(1) + 1).__name__)


class Upper(str):
    def __new__(cls, text):
        return super().__new__(cls, text.upper())


print(Upper("abc"), Upper("a").lower(), isinstance(Upper("x"), str))


class Context:
    instances = 0

    def __init__(self):
        Context.instances += 1

    def __del__(self):
        Context.instances -= 1


one = Context()
two = one
del one
print(Context.instances)
del two
print(Context.instances)
print(type.__call__(Base).made_by, getattr(c, "kind"), delattr(c, "hello") or c.hello())
