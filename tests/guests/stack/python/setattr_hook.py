# Setting an attribute sets it. Ends in RecursionError.
class Echo:
    def __setattr__(self, name, value):
        setattr(self, name, value)


Echo().voice = 1
