# Servers that break off, lie or speak something else.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True

urls = [
    f"{OPEN}/short",
    f"{OPEN}/two-lengths",
    f"{OPEN}/garbage",
    f"{OPEN}/not-http",
    f"{OPEN}/upgrade",
    f"{OPEN}/nul-header",
    f"{OPEN}/many-headers",
    f"{OPEN}/long-header",
    f"{OPEN}/interim",
]
reached = [url for url in urls if not denied(url)]
result = "contained" if not reached else reached
