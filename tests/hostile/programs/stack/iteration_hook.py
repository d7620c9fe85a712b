# Iterating iterates.
# expect: exception RecursionError

class Wheel:
    def __iter__(self):
        return iter([*self])


list(Wheel())
