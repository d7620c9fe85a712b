# Networks behind the host.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True

urls = [
    f"http://10.0.0.1/",
    f"http://172.16.0.1/",
    f"http://192.168.0.1/",
    f"http://100.64.0.1/",
    f"http://[fc00::1]/",
    f"http://[fe80::1]/",
    f"http://224.0.0.1/",
    f"http://255.255.255.255/",
    f"http://[ff02::1]/",
]
reached = [url for url in urls if not denied(url)]
result = "contained" if not reached else reached
