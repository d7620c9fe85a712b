# Showing shows. Ends in RecursionError.
class Shown:
    def __repr__(self):
        return f"<{self!r}>"


repr(Shown())
