# Asks for COUNT numbers, from generators within generators, and prints what depends on all of them and on their order.

import hashlib

closed = []
digest = hashlib.sha256()


def ask(index):
    try:
        answer = call_tool('ask', index=index)
        if answer % 3 == 0:
            raise ValueError(answer)
        return answer
    except ValueError as error:
        return error.args[0]
    finally:
        closed.append(index)


def asked(first, count):
    if count == 1:
        yield ask(first)
        return
    half = count // 2
    yield from asked(first, half)
    yield from asked(first + half, count - half)


total = 0
for index, answer in enumerate(asked(0, COUNT)):
    total = (total * 31 + answer) % 1_000_003
    digest.update(f'{index}:{answer};'.encode())

assert closed == list(range(COUNT)), closed
print(total, digest.hexdigest())
