# What goes out arrives as it was, and what comes back too.
response = http_request(
    "PUT",
    f"{BASE_URL}/echo",
    params={"q": "a b&c", "again": ["1", "2"]},
    headers={"X-Colour": "green", "Content-Type": "application/octet-stream"},
    body=bytes(range(256)),
)
result = {
    "status": response["status"],
    "body": list(response["body"]),
    "method": response["headers"]["x-method"],
    "colour": response["headers"]["x-colour"],
    "query": response["headers"]["x-query"],
}
