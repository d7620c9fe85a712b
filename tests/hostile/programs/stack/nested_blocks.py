# Blocks in blocks.
# expect: exception IndentationError or exception SyntaxError

exec("".join(" " * depth + "if 1:\n" for depth in range(5_000)) + " " * 5_000 + "pass")
