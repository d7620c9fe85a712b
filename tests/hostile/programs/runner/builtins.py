# What everything else is made of, replaced.
# expect: value or contained or exception * or crash

import builtins

for name in ("print", "isinstance", "len", "str", "repr", "type", "dict", "list", "compile", "exec", "open"):
    setattr(builtins, name, lambda *arguments, **options: 1 / 0)
result = 1
