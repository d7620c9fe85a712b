# A literal ten thousand tuples deep. Ends in SyntaxError or MemoryError or RecursionError or StackOverflow.
import ast

ast.literal_eval("(" * 10_000 + "1," + "),"[:1] * 10_000)
