# Arguments of other types than the tool has.
# expect: contained

def refused(**arguments):
    try:
        call_tool("typed", **arguments)
        return False
    except Exception:
        return True


attempts = [{}, {"city": 1}, {"city": None}, {"city": ["x"]}, {"city": "x", "days": "1"}, {"city": "x", "days": 1.5},
            {"city": "x", "days": 10**30}, {"city": "x", "days": -1}]
result = "contained" if all(refused(**attempt) for attempt in attempts) else "accepted"
