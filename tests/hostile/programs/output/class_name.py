# An error whose class has a name without end.
# expect: exception *

raise type('E' * 1_000_000, (Exception,), {})('x')
