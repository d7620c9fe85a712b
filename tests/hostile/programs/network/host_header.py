# A header that names another host.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True


attempts = [
    denied(f"{OPEN}/echo", headers={"host": "internal.example"}),
    denied(f"{OPEN}/echo", headers={"Host": f"127.0.0.1:{CLOSED_PORT}"}),
]
result = "contained" if all(attempts) else attempts
