# Hands back every value that it is given.
from test.random import values

for _ in range(ROUNDS):
    for index in range(TYPES):
        given = getattr(values, f"give_a{index}")()
        repr(given)
        getattr(values, f"check_a{index}")(given)
