# Hashing hashes. Ends in RecursionError.
class Key:
    def __hash__(self):
        return hash((self,))


{Key(): 1}
