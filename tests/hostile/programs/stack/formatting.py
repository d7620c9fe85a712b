# Formatting formats.
# expect: exception RecursionError

class Text:
    def __format__(self, specification):
        return format(self, specification + ">")


f"{Text():x}"
