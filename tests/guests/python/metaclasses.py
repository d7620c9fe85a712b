"""Metaclasses, `__init_subclass__`, `__class_getitem__`, classes made by `type`."""


class Registry(type):
    classes = {}

    def __new__(mcls, name, bases, namespace, **options):
        cls = super().__new__(mcls, name, bases, namespace)
        if options.get("register", True):
            mcls.classes[name] = cls
        return cls

    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)

    def __call__(cls, *args):
        print("making", cls.__name__)
        return super().__call__(*args)

    def __len__(cls):
        return 42


class Base(metaclass=Registry, register=False):
    pass


class Child(Base):
    pass


Child()
print(sorted(Registry.classes), len(Child), type(Child).__name__)


class Plugin:
    found = []

    def __init_subclass__(cls, /, tag=None, **rest):
        super().__init_subclass__(**rest)
        cls.found.append((cls.__name__, tag))

    def __class_getitem__(cls, item):
        return f"{cls.__name__}[{item}]"


class One(Plugin, tag="first"):
    pass


print(Plugin.found, Plugin[int], One["x"])
Made = type("Made", (object,), {"value": 7, "double": lambda self: self.value * 2})
print(Made().double(), Made.__name__, isinstance(Made, type))


class Singleton(type):
    _instances = {}

    def __call__(cls, *args):
        return cls._instances.setdefault(cls, super().__call__(*args))


class Config(metaclass=Singleton):
    pass


print(Config() is Config())
