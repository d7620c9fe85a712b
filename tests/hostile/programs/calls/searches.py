# Searches for tools without end.
# expect: timeout or host call rate or cpu time or exception *

while True:
    try:
        search_tools("x" * 1_000)
    except Exception:
        pass
