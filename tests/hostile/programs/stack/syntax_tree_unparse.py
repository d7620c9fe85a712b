# A syntax tree ten thousand nodes deep, written as source.
# expect: exception RecursionError or exception MemoryError or stack

import ast

tree = ast.Constant(1)
for _ in range(10_000):
    tree = ast.UnaryOp(ast.USub(), tree)
ast.unparse(tree)
