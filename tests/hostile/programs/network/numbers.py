# Addresses in numbers of every kind.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True

urls = [
    f"http://2130706433:{CLOSED_PORT}/",
    f"http://0x7f000001:{CLOSED_PORT}/",
    f"http://0177.0.0.1:{CLOSED_PORT}/",
    f"http://127.1:{CLOSED_PORT}/",
    f"http://0x7f.1:{CLOSED_PORT}/",
    f"http://[::ffff:127.0.0.1]:{CLOSED_PORT}/",
    f"http://[::ffff:7f00:1]:{CLOSED_PORT}/",
    f"http://[64:ff9b::7f00:1]:{CLOSED_PORT}/",
    f"http://[2002:7f00:1::]:{CLOSED_PORT}/",
    f"http://①②⑦.⓪.⓪.①:{CLOSED_PORT}/",
]
reached = [url for url in urls if not denied(url)]
result = "contained" if not reached else reached
