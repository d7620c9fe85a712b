# A syntax tree a hundred thousand nodes deep, compiled.
# expect: exception RecursionError or exception MemoryError or stack

import ast

tree = ast.Constant(1)
for _ in range(100_000):
    tree = ast.UnaryOp(ast.USub(), tree)
compile(ast.fix_missing_locations(ast.Expression(tree)), "tree", "eval")
