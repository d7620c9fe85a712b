print("before the request")
http_get(f"{BASE_URL}/{WHERE}")
print("after the request")
