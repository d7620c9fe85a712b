# A length that measures its own length.
# expect: exception RecursionError

class Rope:
    def __len__(self):
        return len(self)


bool(Rope())
