"""Patterns: observer, strategy, builder, visitor, command with undo, state, mixins, abstract classes."""

from abc import ABC, abstractmethod
from functools import singledispatch


class Subject:
    def __init__(self):
        self._observers = []

    def on(self, observer):
        self._observers.append(observer)
        return lambda: self._observers.remove(observer)

    def emit(self, event):
        for observer in list(self._observers):
            observer(event)


subject = Subject()
off = subject.on(lambda e: print("first", e))
subject.on(lambda e: print("second", e))
subject.emit(1)
off()
subject.emit(2)


class Shape(ABC):
    @abstractmethod
    def area(self): ...

    def describe(self):
        return f"{type(self).__name__} of {self.area():.2f}"


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


class Circle(Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return 3.14159 * self.radius**2


print([shape.describe() for shape in (Square(2), Circle(1))])
try:
    Shape()
except TypeError as error:
    print("abstract" in str(error))


class Query:
    def __init__(self):
        self.parts = []

    def __getattr__(self, name):
        def add(*arguments):
            self.parts.append(f"{name.upper().rstrip('_')} {', '.join(map(str, arguments))}")
            return self

        return add

    def __str__(self):
        return " ".join(self.parts)


print(Query().select("a", "b").from_("t").where("a > 1"))


class Editor:
    def __init__(self):
        self.text, self.history = "", []

    def do(self, change, undo):
        self.history.append(undo)
        self.text = change(self.text)

    def undo(self):
        self.text = self.history.pop()(self.text)


editor = Editor()
editor.do(lambda t: t + "hello", lambda t: t[:-5])
editor.do(str.upper, str.lower)
print(editor.text)
editor.undo()
print(editor.text)


class JsonMixin:
    def to_dict(self):
        return {k: v for k, v in vars(self).items() if not k.startswith("_")}


class EqMixin:
    def __eq__(self, other):
        return vars(self) == vars(other)


class User(JsonMixin, EqMixin):
    def __init__(self, name):
        self.name, self._secret = name, 1


print(User("ann").to_dict(), User("a") == User("a"))


class Account:
    def __init__(self):
        self.balance = 0

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        return self

    def withdraw(self, amount):
        if amount > self.balance:
            raise RuntimeError(f"insufficient funds: {self.balance} < {amount}")
        self.balance -= amount
        return self


account = Account().deposit(100).withdraw(30)
try:
    account.withdraw(500)
except RuntimeError as error:
    print(error, account.balance)


@singledispatch
def render(value):
    return str(value)


@render.register(list)
def _(value):
    return "<ul>" + "".join(f"<li>{render(v)}</li>" for v in value) + "</ul>"


@render.register(dict)
def _(value):
    return "<dl>" + "".join(f"<dt>{k}<dd>{render(v)}" for k, v in value.items()) + "</dl>"


print(render([1, {"a": [2]}]))
