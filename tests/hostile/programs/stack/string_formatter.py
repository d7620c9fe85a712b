# A formatter whose fields have fields.
# expect: exception RecursionError or exception ValueError

class Field:
    def __format__(self, specification):
        return "{0:{0}}".format(self)


"{0:{0}}".format(Field())
