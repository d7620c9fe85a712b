# Asks the host to use a proxy.
# expect: contained

import os

for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
    os.environ[name] = f"http://127.0.0.1:{CLOSED_PORT}"
try:
    import urllib.request

    urllib.request.urlopen(f"{OPEN}/ok").read()
except Exception:
    pass
http_get(f"{OPEN}/ok")
result = "contained"
