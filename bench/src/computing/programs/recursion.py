# Functions and generators that call themselves, exceptions among them.


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def queens(size, row=0, columns=0, up=0, down=0):
    if row == size:
        return 1
    count = 0
    free = ~(columns | up | down) & ((1 << size) - 1)
    while free:
        bit = free & -free
        free ^= bit
        count += queens(size, row + 1, columns | bit, (up | bit) << 1, (down | bit) >> 1)
    return count


def tree(depth):
    return None if depth == 0 else (tree(depth - 1), depth, tree(depth - 1))


def walk(node):
    if node is not None:
        left, value, right = node
        yield from walk(left)
        yield value
        yield from walk(right)


def checked(n):
    if n == 0:
        raise ValueError('bottom')
    try:
        return checked(n - 1)
    except ValueError:
        if n % 2:
            raise
        return n


result = [fibonacci(26), queens(9), sum(walk(tree(16))), sum(checked(n % 20 + 1) if n % 20 else 0 for n in range(60_000))]
