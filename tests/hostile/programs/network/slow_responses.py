# Servers that never finish a response.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True

urls = [
    f"{OPEN}/tar",
    f"{OPEN}/slow-headers",
]
reached = [url for url in urls if not denied(url)]
result = "contained" if not reached else reached
