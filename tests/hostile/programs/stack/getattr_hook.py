# Missing attributes that are looked up among missing attributes.
# expect: exception RecursionError

class Maze:
    def __getattr__(self, name):
        return getattr(self, name + "x"[: len(name) < 9])


Maze().exit
