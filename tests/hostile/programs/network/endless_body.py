# A body without end.
# expect: contained or timeout

try:
    response = http_get(f"{OPEN}/endless")
    result = "contained" if len(response["text"]) <= 1 << 20 else len(response["text"])
except Exception:
    result = "contained"
