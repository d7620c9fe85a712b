# Hashing hashes.
# expect: exception RecursionError

class Key:
    def __hash__(self):
        return hash((self,))


{Key(): 1}
