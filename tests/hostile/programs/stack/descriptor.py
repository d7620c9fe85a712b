# A descriptor that reads what it describes.
# expect: exception RecursionError

class Loop:
    def __get__(self, instance, owner):
        return instance.field


class Holder:
    field = Loop()


Holder().field
