# A hundred thousand partial applications of different kinds.
# expect: exception RecursionError or stack

from functools import partial

call = lambda *arguments: 1
for number in range(100_000):
    call = partial(call) if number % 2 else partial(lambda inner, *arguments: inner(*arguments), call)
call()
