# Making one makes another.
# expect: exception RecursionError

class Doll:
    def __init__(self):
        self.inner = Doll()


Doll()
