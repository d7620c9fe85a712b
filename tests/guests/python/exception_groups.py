"""`ExceptionGroup` and `except*`."""

try:
    raise ExceptionGroup(
        "several", [ValueError("a"), TypeError("b"), ExceptionGroup("inner", [ValueError("c"), KeyError("k")])]
    )
except* ValueError as group:
    print("values", [str(e) for e in group.exceptions], len(group.exceptions))
except* (TypeError, KeyError) as group:
    print("others", group.message, group.exceptions[0])

group = ExceptionGroup("g", [OSError(1), ValueError(2)])
matched, rest = group.split(OSError)
print(matched.exceptions, rest.exceptions, group.subgroup(lambda e: isinstance(e, ValueError)).exceptions)
try:
    try:
        raise ExceptionGroup("g", [OSError("left over"), ValueError("handled")])
    except* ValueError:
        pass
except ExceptionGroup as left:
    print(left.exceptions)
try:
    raise ValueError("alone")
except* ValueError as group:
    print(type(group).__name__, group.exceptions)
