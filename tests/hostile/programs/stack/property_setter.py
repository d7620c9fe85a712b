# A property that sets itself.
# expect: exception RecursionError

class Mirror:
    @property
    def image(self):
        return 1

    @image.setter
    def image(self, value):
        self.image = value


Mirror().image = 1
