# Evaluating an expression evaluates it.
# expect: exception RecursionError

code = "eval(code)"
eval(code)
