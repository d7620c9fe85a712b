# Executing a program executes it. Ends in RecursionError.
program = "exec(program)"
exec(program)
