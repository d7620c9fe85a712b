# Making a class makes a class. Ends in RecursionError.
class Meta(type):
    def __new__(cls, name, bases, body):
        return type(cls)("Inner", (cls,), {})("Class", (), {}) if name == "stop" else Meta(name, bases, body)


Meta("Outer", (), {})
