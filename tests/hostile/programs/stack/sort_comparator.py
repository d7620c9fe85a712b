# A comparison for sorting that sorts.
# expect: exception RecursionError

from functools import cmp_to_key


def compare(left, right):
    return len(sorted([left, right], key=cmp_to_key(compare)))


sorted([1, 2], key=cmp_to_key(compare))
