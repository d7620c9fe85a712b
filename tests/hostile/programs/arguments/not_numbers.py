# Numbers that JSON has not.
# expect: contained

outcomes = []
for number in (float("nan"), float("inf"), -float("inf")):
    try:
        outcomes.append(call_tool("echo", value=number))
    except Exception:
        outcomes.append(None)
result = "contained" if all(outcome in (None, {"value": None}) for outcome in outcomes) else repr(outcomes)
