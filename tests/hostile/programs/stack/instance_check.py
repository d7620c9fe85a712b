# Being an instance depends on being an instance.
# expect: exception RecursionError

class Meta(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, cls)


class Kind(metaclass=Meta):
    pass


isinstance(1, Kind)
