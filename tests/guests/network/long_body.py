# A response that is longer than it may be is cut, and says so.
response = http_get(f"{BASE_URL}/long")
result = [response["status"], len(response["body"]), response["truncated"]]
