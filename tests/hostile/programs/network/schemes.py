# URLs with schemes other than HTTP.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True

urls = [
    f"file:///etc/passwd",
    f"gopher://127.0.0.1:{CLOSED_PORT}/_x",
    f"ftp://127.0.0.1:{CLOSED_PORT}/",
    f"data:text/plain,x",
    f"dict://127.0.0.1:{CLOSED_PORT}/",
    f"ws://127.0.0.1:{CLOSED_PORT}/",
    f"jar:http://127.0.0.1:{CLOSED_PORT}/!/",
    f"unix:///var/run/docker.sock",
    f"javascript:1",
    f"//127.0.0.1:{CLOSED_PORT}/",
]
reached = [url for url in urls if not denied(url)]
result = "contained" if not reached else reached
