# A length that measures its own length. Ends in RecursionError.
class Rope:
    def __len__(self):
        return len(self)


bool(Rope())
