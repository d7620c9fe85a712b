# Executing a program executes it.
# expect: exception RecursionError

program = "exec(program)"
exec(program)
