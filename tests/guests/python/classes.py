"""Classes: attributes, methods, properties, inheritance, special methods."""


class Animal:
    population = 0

    def __init__(self, name):
        self.name = name
        type(self).population += 1

    def speak(self):
        raise NotImplementedError

    @property
    def loud(self):
        return self.speak().upper()

    @classmethod
    def named(cls, name):
        return cls(name)

    @staticmethod
    def legs(n=4):
        return n

    def __str__(self):
        return f"{type(self).__name__} {self.name}"


class Dog(Animal):
    def __init__(self, name, tricks=()):
        super().__init__(name)
        self.tricks = list(tricks)

    def speak(self):
        return "woof"

    def __repr__(self):
        return f"Dog({self.name!r})"


rex = Dog.named("Rex")
print(rex, [rex], rex.loud, Dog.legs(), Dog.population, Animal.population)
print(isinstance(rex, Animal), issubclass(Dog, Animal), type(rex).__mro__[1].__name__, hasattr(rex, "tricks"))
rex.extra = 1
print(vars(rex), getattr(rex, "nothing", "default"))
try:
    Animal("x").speak()
except NotImplementedError as error:
    print(type(error).__name__)
try:
    rex.loud = 1
except AttributeError as error:
    print("AttributeError")


class A:
    def who(self):
        return ["A"]


class B(A):
    def who(self):
        return ["B"] + super().who()


class C(A):
    def who(self):
        return ["C"] + super().who()


class D(B, C):
    def who(self):
        return ["D"] + super().who()


print(D().who(), [c.__name__ for c in D.__mro__])


class Private:
    __hidden = 1

    def peek(self):
        return self.__hidden


print(Private().peek(), hasattr(Private, "__hidden"), Private._Private__hidden)
