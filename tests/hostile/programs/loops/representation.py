# A loop where the value is made ready to be sent.
# expect: timeout

class Value:
    def __repr__(self):
        while True:
            pass


result = Value()
