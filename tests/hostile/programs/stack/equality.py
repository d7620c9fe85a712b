# Comparing compares.
# expect: exception RecursionError

class Same:
    def __eq__(self, other):
        return other == self


Same() == Same()
