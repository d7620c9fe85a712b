# An object whose call is a call of it.
# expect: exception RecursionError

class Phone:
    def __call__(self):
        return self()


Phone()()
