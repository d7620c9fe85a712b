# Definitions in definitions.
# expect: exception IndentationError or exception SyntaxError or exception RecursionError

exec("".join(" " * depth + f"def f{depth}():\n" for depth in range(99)) + " " * 99 + "pass")
exec("".join(" " * depth + f"class c{depth}:\n" for depth in range(5_000)) + " " * 5_000 + "pass")
