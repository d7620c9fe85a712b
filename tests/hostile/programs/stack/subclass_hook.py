# A subclass that subclasses itself.
# expect: exception RecursionError

class Base:
    def __init_subclass__(cls):
        type("Sub", (cls,), {})


class First(Base):
    pass
