# Objects, methods, properties, inheritance and operators.


class Shape:
    def __init__(self, name):
        self.name = name
        self.visits = 0

    def area(self):
        raise NotImplementedError

    def visit(self):
        self.visits += 1
        return self.area()


class Rectangle(Shape):
    def __init__(self, width, height):
        super().__init__('rectangle')
        self.width, self.height = width, height

    def area(self):
        return self.width * self.height


class Square(Rectangle):
    def __init__(self, side):
        super().__init__(side, side)
        self.name = 'square'

    @property
    def side(self):
        return self.width


class Vector:
    __slots__ = ('x', 'y')

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()

    def __len__(self):
        return len(self.items)


total, where, stack = 0, Vector(0, 0), Stack()
for number in range(120_000):
    shape = Square(number % 10) if number % 2 else Rectangle(number % 7, 3)
    total += shape.visit() + shape.visits
    if isinstance(shape, Square):
        total += shape.side
    where = where + Vector(number, 1) * 2
    stack.push(where)
    if len(stack) > 100:
        total += stack.pop() == where

result = [total, where.x, where.y, len(stack)]
