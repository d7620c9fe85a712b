# Asks until it may not any more.
answers = 0
try:
    while True:
        http_get(f"{BASE_URL}/{answers}")
        answers += 1
except OSError as error:
    result = [answers, error.kind, str(error)]
