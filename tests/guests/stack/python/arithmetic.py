# Adding adds. Ends in RecursionError.
class Number:
    def __add__(self, other):
        return other + self


Number() + Number()
