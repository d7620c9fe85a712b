# A property that reads itself.
# expect: exception RecursionError

class Mirror:
    @property
    def image(self):
        return self.image


Mirror().image
