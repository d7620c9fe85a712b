# Making one makes another. Ends in RecursionError.
class Doll:
    def __init__(self):
        self.inner = Doll()


Doll()
