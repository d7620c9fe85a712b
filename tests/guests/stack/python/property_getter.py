# A property that reads itself. Ends in RecursionError.
class Mirror:
    @property
    def image(self):
        return self.image


Mirror().image
