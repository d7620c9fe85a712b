# Redirects to where nothing may go.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True

urls = [
    f"{OPEN}/to-closed",
    f"{OPEN}/to-closed-307",
    f"{OPEN}/to-file",
    f"{OPEN}/to-metadata",
    f"{OPEN}/loop",
    f"{OPEN}/to-chain",
    f"{OPEN}/to-user-name",
]
reached = [url for url in urls if not denied(url)]
result = "contained" if not reached else reached
