# Makes every request of ATTEMPTS and says how each one ended.
result = []
for method, url in ATTEMPTS:
    try:
        result.append(http_request(method, url)["status"])
    except Exception as error:
        result.append(f"{type(error).__name__}: {error}")
