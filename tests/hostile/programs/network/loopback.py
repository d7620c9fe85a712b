# This machine, by all of its names.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True

urls = [
    f"http://127.0.0.1:{CLOSED_PORT}/",
    f"http://localhost:{CLOSED_PORT}/",
    f"http://localhost.:{CLOSED_PORT}/",
    f"http://LOCALHOST:{CLOSED_PORT}/",
    f"http://[::1]:{CLOSED_PORT}/",
    f"http://0.0.0.0:{CLOSED_PORT}/",
    f"http://[::]:{CLOSED_PORT}/",
    f"http://127.0.0.2:{CLOSED_PORT}/",
    f"http://a.localhost:{CLOSED_PORT}/",
]
reached = [url for url in urls if not denied(url)]
result = "contained" if not reached else reached
