# A comparison that native sorting waits for.
# expect: timeout

class Endless:
    def __lt__(self, other):
        while True:
            pass


sorted([Endless(), Endless()])
