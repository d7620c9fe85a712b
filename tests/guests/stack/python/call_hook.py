# An object whose call is a call of it. Ends in RecursionError.
class Phone:
    def __call__(self):
        return self()


Phone()()
