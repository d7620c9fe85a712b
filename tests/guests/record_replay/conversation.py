import random

import requests

said = []
number = random.randrange(1_000_000)
for attempt in range(2):
    said.append(http_get(f"{BASE_URL}/count?n={number}")["body"])
said.append(requests.post(f"{BASE_URL}/echo", data=b"\xff\x00").content.hex())
said.append(http_get(f"{BASE_URL}/moved")["body"])
said.append(call_tool("next", step=number % 7))
try:
    call_tool("next", step=-1)
except Exception as error:
    said.append(str(error))
result = said
