# Setting an attribute sets it.
# expect: exception RecursionError

class Echo:
    def __setattr__(self, name, value):
        setattr(self, name, value)


Echo().voice = 1
