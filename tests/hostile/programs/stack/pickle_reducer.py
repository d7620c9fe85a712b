# A reducer that pickles what it reduces.
# expect: exception RecursionError

import pickle


class Jar:
    def __reduce__(self):
        return (len, (pickle.dumps(self),))


pickle.dumps(Jar())
