# A property that sets itself. Ends in RecursionError.
class Mirror:
    @property
    def image(self):
        return 1

    @image.setter
    def image(self, value):
        self.image = value


Mirror().image = 1
