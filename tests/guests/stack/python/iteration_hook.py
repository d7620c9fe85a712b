# Iterating iterates. Ends in RecursionError.
class Wheel:
    def __iter__(self):
        return iter([*self])


list(Wheel())
