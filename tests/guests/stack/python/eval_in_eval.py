# Evaluating an expression evaluates it. Ends in RecursionError.
code = "eval(code)"
eval(code)
