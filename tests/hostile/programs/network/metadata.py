# Where clouds keep the keys.
# expect: contained

def denied(url, **options):
    try:
        http_request(options.pop("method", "GET"), url, **options)
        return False
    except Exception:
        return True

urls = [
    f"http://169.254.169.254/latest/meta-data/",
    f"http://[fd00:ec2::254]/latest/meta-data/",
    f"http://metadata.google.internal/",
    f"http://100.100.100.200/",
    f"http://168.63.129.16/",
    f"http://0xa9fea9fe/",
    f"http://[::ffff:169.254.169.254]/",
    f"http://169.254.170.2/",
    f"http://192.0.0.192/",
]
reached = [url for url in urls if not denied(url)]
result = "contained" if not reached else reached
