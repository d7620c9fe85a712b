# A body that comes in drops.
# expect: contained or timeout

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True

result = "contained" if denied(f"{OPEN}/drip") else "whole"
