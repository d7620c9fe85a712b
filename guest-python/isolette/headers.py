"""The headers of a response: a dict with case-insensitive names."""


class Headers(dict):
    """Joins the values of a repeated field with `, `, as HTTP allows; `get_all` returns each value."""

    def __init__(self, pairs):
        super().__init__()
        self._names = {}
        self.pairs = list(pairs)
        for name, value in self.pairs:
            lower = name.lower()
            if lower in self._names:
                super().__setitem__(self._names[lower], f"{super().__getitem__(self._names[lower])}, {value}")
            else:
                self._names[lower] = name
                super().__setitem__(name, value)

    def _known(self, name):
        return self._names.get(name.lower(), name) if isinstance(name, str) else name

    def __getitem__(self, name):
        return super().__getitem__(self._known(name))

    def __contains__(self, name):
        return super().__contains__(self._known(name))

    def get(self, name, default=None):
        return super().get(self._known(name), default)

    def get_all(self, name):
        """Returns every value of the field, in the order of the response."""
        lower = name.lower()
        return [value for key, value in self.pairs if key.lower() == lower]
