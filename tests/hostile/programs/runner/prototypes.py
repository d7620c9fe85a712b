# Objects whose every attribute access throws.
# expect: value or contained or exception *

class Bites:
    def __getattribute__(self, name):
        raise SystemError(name)

    def __class_getitem__(cls, key):
        raise SystemError(key)


result = Bites()
