# Line breaks where they would end a header.
# expect: contained

def outcome(**options):
    try:
        return http_request(options.pop("method", "GET"), options.pop("url", f"{OPEN}/echo"), **options)["text"]
    except Exception:
        return ""


texts = [
    outcome(headers={"x": "a\r\nInjected: 1"}),
    outcome(headers={"x\r\nInjected": "1"}),
    outcome(headers={"x": "a\nInjected: 1"}),
    outcome(url=f"{OPEN}/echo HTTP/1.1\r\nInjected: 1\r\nx: "),
    outcome(method="GET /echo HTTP/1.1\r\nInjected: 1\r\n"),
    outcome(headers={"transfer-encoding": "chunked", "content-length": "100"}),
    outcome(headers={"connection": "upgrade", "upgrade": "h2c"}),
]
bad = [text for text in texts if "\ninjected:" in text.lower() or "\nupgrade:" in text.lower()]
result = "contained" if not bad else bad
