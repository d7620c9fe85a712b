# A literal ten thousand tuples deep.
# expect: exception SyntaxError or exception MemoryError or exception RecursionError or stack

import ast

ast.literal_eval("(" * 10_000 + "1," + "),"[:1] * 10_000)
