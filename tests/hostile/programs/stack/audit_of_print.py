# A stream that prints what is printed to it.
# expect: exception RecursionError

import sys


class Stream:
    def write(self, text):
        print(text)

    def flush(self):
        pass


sys.stdout = Stream()
print("hello")
