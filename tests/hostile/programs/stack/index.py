# An index that is its own index.
# expect: exception RecursionError

class Finger:
    def __index__(self):
        return [1, 2, 3][self]


[1, 2, 3][Finger()]
