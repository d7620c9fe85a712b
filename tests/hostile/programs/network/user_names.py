# Hosts that only look like the one that is allowed.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True

urls = [
    f"http://127.0.0.1:{OPEN_PORT}@127.0.0.1:{CLOSED_PORT}/",
    f"http://127.0.0.1:{CLOSED_PORT}#@127.0.0.1:{OPEN_PORT}/",
    f"http://127.0.0.1:{CLOSED_PORT}?@127.0.0.1:{OPEN_PORT}/",
    f"http://127.0.0.1:{OPEN_PORT}.evil.test/",
    f"http://127.0.0.1:{CLOSED_PORT}\\@127.0.0.1:{OPEN_PORT}/",
    f"http:127.0.0.1:{CLOSED_PORT}/",
    f"http:////127.0.0.1:{CLOSED_PORT}/",
    f"http://127.0.0.1:{OPEN_PORT}0/",
]
reached = [url for url in urls if not denied(url)]
result = "contained" if not reached else reached
