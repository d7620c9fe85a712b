# Requests of every excess.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True


attempts = [
    denied(f"{OPEN}/" + "x" * 100_000),
    denied(f"{OPEN}/ok?" + "x" * 100_000),
    denied(f"{OPEN}/ok", headers={"x": "y" * 100_000}),
    denied(f"{OPEN}/ok", headers={f"x{number}": "y" for number in range(1_000)}),
    denied(f"{OPEN}/ok", method="POST", body="x" * 3_000_000),
]
result = "contained" if all(attempts) else attempts
