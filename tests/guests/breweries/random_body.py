# One brewery, as the API gives it.
answer = http_get(f"{BASE_URL}/breweries/random")
if not answer["ok"]:
    raise RuntimeError(f"no brewery today: {answer['status']}")
answer["body"]
