# Requests without end.
# expect: contained

failures = 0
for _ in range(100):
    try:
        http_get(OPEN + "/ok")
    except Exception as error:
        failures += "requests" in str(error)
result = "contained" if failures == 50 else failures
