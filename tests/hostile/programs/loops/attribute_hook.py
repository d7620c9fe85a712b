# A loop in what looks like a look-up.
# expect: timeout

class Trap:
    def __getattr__(self, name):
        while True:
            pass


Trap().anything
