# A hundred thousand partial applications of different kinds. Ends in RecursionError or StackOverflow.
from functools import partial

call = lambda *arguments: 1
for number in range(100_000):
    call = partial(call) if number % 2 else partial(lambda inner, *arguments: inner(*arguments), call)
call()
