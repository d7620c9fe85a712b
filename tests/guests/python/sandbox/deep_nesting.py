"""Values, sources and iterators that are nested too deeply: an exception that the program catches, never the end of the run."""

import ast
import copy
import collections
import functools
import gc
import itertools
import json
import pickle
import re
import types
import xml.etree.ElementTree as ElementTree

DEPTH = 100_000
MORE = 120_000

# The collector would look at all of these values again and again.
gc.disable()


def nested(make, value=None, depth=DEPTH):
    for _ in range(depth):
        value = make(value)
    return value


def delegating(inner):
    yield from inner


class Answer:
    def __eq__(self, other):
        return self == other

    def __hash__(self):
        return hash(self)

    def __repr__(self):
        return repr(self)

    def __call__(self):
        return self()

    def __iter__(self):
        return iter(self)

    def __reduce__(self):
        return list, ([Answer()],)


def comprehensions(depth):
    return "[" * depth + "x" + " for x in [0]]" * depth


CASES = {
    "json.loads of [": lambda: json.loads("[" * DEPTH),
    "json.loads of [ and ]": lambda: json.loads("[" * DEPTH + "]" * DEPTH),
    "json.loads of {": lambda: json.loads('{"a":' * DEPTH),
    "json.loads with a hook": lambda: json.loads('{"a":' * DEPTH + "1" + "}" * DEPTH, object_hook=dict),
    "json.dumps of lists": lambda: json.dumps(nested(lambda inner: [inner])),
    "json.dumps of dicts": lambda: json.dumps(nested(lambda inner: {"a": inner})),
    "pickle.dumps of lists": lambda: pickle.dumps(nested(lambda inner: [inner])),
    "pickle.dumps of objects": lambda: pickle.dumps(Answer()),
    "repr of lists": lambda: repr(nested(lambda inner: [inner])),
    "repr of dicts": lambda: repr(nested(lambda inner: {1: inner})),
    "str of exceptions": lambda: str(nested(ValueError, depth=MORE)),
    "== of lists": lambda: nested(lambda inner: [inner]) == nested(lambda inner: [inner]),
    "== of dicts": lambda: nested(lambda inner: {1: inner}) == nested(lambda inner: {1: inner}),
    "== of frozensets": lambda: nested(lambda inner: {"a": frozenset([1]), "b": inner}) == nested(
        lambda inner: {"a": frozenset([1]), "b": inner}
    ),
    "< of lists": lambda: nested(lambda inner: [inner], 1) < nested(lambda inner: [inner], 2),
    "hash of tuples": lambda: hash(nested(lambda inner: (inner,), depth=MORE)),
    "copy.deepcopy": lambda: copy.deepcopy(nested(lambda inner: [inner])),
    "ast.literal_eval": lambda: ast.literal_eval("[" * DEPTH + "]" * DEPTH),
    "compile of brackets": lambda: compile("(" * DEPTH + ")" * DEPTH, "source", "eval"),
    "compile of signs": lambda: compile("-" * DEPTH + "1", "source", "eval"),
    "compile of attributes": lambda: compile("a" + ".a" * DEPTH, "source", "eval"),
    "compile of sums": lambda: compile("1" + " + a" * DEPTH, "source", "eval"),
    "re.compile": lambda: re.compile("(" * DEPTH + ")" * DEPTH),
    "iterators: chain": lambda: next(nested(itertools.chain, iter([1]), MORE)),
    "iterators: map": lambda: next(nested(lambda inner: map(str, inner), iter([1]), MORE)),
    "iterators: zip": lambda: next(nested(zip, iter([1]), MORE)),
    "isinstance": lambda: isinstance(1, nested(lambda inner: (inner,), str)),
    "functools.lru_cache": nested(functools.lru_cache, lambda: 1, MORE),
    "XML: deepcopy": lambda: copy.deepcopy(ElementTree.fromstring("<a>" * MORE + "</a>" * MORE)),
    "__eq__": lambda: Answer() == Answer(),
    "__hash__": lambda: hash(Answer()),
    "__repr__": lambda: repr(Answer()),
    "__call__": lambda: Answer()(),
    "__iter__": lambda: list(Answer()),
}

for name, case in CASES.items():
    try:
        case()
    except (RecursionError, MemoryError) as error:
        print(f"{name}: {type(error).__name__}")
    else:
        print(f"{name}: no exception")

# As deep as a computer can go, or deeper.
print(json.loads("[" * 20_000 + "]" * 20_000) == [], len(json.dumps(nested(lambda inner: [inner], [], 10_000))))
for depth in (21, 22, 23, 90):
    try:
        value = eval(comprehensions(depth))
    except SyntaxError as error:
        print(depth, error.msg)
        continue
    while isinstance(value, list) and value != [0]:
        (value,) = value
    print(depth, value)
deep = next(nested(delegating, iter([1]), MORE), None)
print(deep)
tree = ast.Constant(0)
for _ in range(400):
    tree = ast.ListComp(tree, [ast.comprehension(ast.Name("x", ast.Store()), ast.List([], ast.Load()), [], 0)])
try:
    compile(ast.fix_missing_locations(ast.Expression(tree)), "tree", "eval")
except (RecursionError, MemoryError, SyntaxError) as error:
    print(type(error).__name__)
