# Methods that turn a request into something else.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True


methods = ["CONNECT", "TRACE", "TRACK", "connect", "", "GET ", "G\x00T", "X" * 10_000]
reached = [method[:20] for method in methods if not denied(f"{OPEN}/ok", method=method)]
result = "contained" if not reached else reached
