# Callbacks of weak references that drop the next object.
# expect: value

import weakref


class Thing:
    pass


chain = []
references = []
for _ in range(10_000):
    thing = Thing()
    references.append(weakref.ref(thing, lambda _: chain and chain.pop()))
    chain.append(thing)
    del thing
chain.pop()
len(chain)
