# Sorting compares, and comparing sorts. Ends in RecursionError.
class Item:
    def __lt__(self, other):
        return sorted([self, other])[0] is self


sorted([Item(), Item()])
