# A body that unpacks to a thousand times itself.
# expect: contained

try:
    response = http_get(f"{OPEN}/bomb")
    result = "contained" if len(response["text"]) <= 1 << 20 else len(response["text"])
except Exception:
    result = "contained"
