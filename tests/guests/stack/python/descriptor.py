# A descriptor that reads what it describes. Ends in RecursionError.
class Loop:
    def __get__(self, instance, owner):
        return instance.field


class Holder:
    field = Loop()


Holder().field
