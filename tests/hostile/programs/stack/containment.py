# Looking into a container that looks into itself.
# expect: exception RecursionError

class Box:
    def __contains__(self, item):
        return item in self


1 in Box()
