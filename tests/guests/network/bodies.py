# What a body becomes, by its content type, and what else can be asked of it.
result = {}
for path in ("json", "text", "bytes", "broken-json", "latin1", "none"):
    response = http_get(f"{BASE_URL}/{path}")
    body = response["body"]
    result[path] = {
        "body": list(body) if isinstance(body, bytes) else body,
        "text": response["text"],
        "json": response["json"],
        "ok": response["ok"],
        "type": response["headers"].get("content-type"),
    }
