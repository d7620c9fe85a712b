# Showing shows.
# expect: exception RecursionError

class Shown:
    def __repr__(self):
        return f"<{self!r}>"


repr(Shown())
