# The libraries that programs are written with, as they know them.
import json
import urllib.error
import urllib.request

import httpx
import requests

result = {}

with requests.Session() as session:
    session.headers["X-Who"] = "requests"
    answer = session.post(f"{BASE_URL}/echo", params={"a": ["1", "2"]}, json={"b": None}, timeout=(5, 10))
    answer.raise_for_status()
    result["requests"] = [answer.status_code, answer.reason, answer.json()["method"], answer.json()["who"], answer.json()["body"], answer.url]
    answer = session.delete(f"{BASE_URL}/echo", auth=("user", "secret"))
    result["requests auth"] = [answer.request.method, answer.json()["authorization"]]
    answer = session.get(f"{BASE_URL}/moved")
    result["requests redirect"] = [answer.status_code, [step.status_code for step in answer.history], answer.url.endswith("/echo")]
    answer = session.get(f"{BASE_URL}/moved", allow_redirects=False)
    result["requests no redirect"] = [answer.status_code, answer.headers["LOCATION"]]
    answer = session.get(f"{BASE_URL}/missing")
    try:
        answer.raise_for_status()
    except requests.HTTPError as error:
        result["requests error"] = [error.response.status_code, not answer.ok]
    try:
        session.get(f"{BASE_URL}/bytes").json()
    except requests.exceptions.JSONDecodeError:
        result["requests bytes"] = "no JSON"
    try:
        session.get(f"{BASE_URL}/silence", timeout=0.2)
    except requests.Timeout as error:
        result["requests timeout"] = isinstance(error, requests.RequestException)
    try:
        session.get("http://192.0.2.1/")
    except requests.ConnectionError as error:
        result["requests denied"] = [isinstance(error, PermissionError), "is not allowed" in str(error)]

with httpx.Client(base_url=BASE_URL, headers={"X-Who": "httpx"}) as client:
    answer = client.put("/echo", content=b"bytes", params={"q": "x y"})
    result["httpx"] = [answer.status_code, answer.json()["method"], answer.json()["who"], answer.json()["body"], answer.is_success]
    try:
        client.get("/missing").raise_for_status()
    except httpx.HTTPStatusError as error:
        result["httpx error"] = error.response.status_code
    try:
        client.get("/silence", timeout=0.2)
    except httpx.TimeoutException as error:
        result["httpx timeout"] = isinstance(error, httpx.TransportError)

request = urllib.request.Request(f"{BASE_URL}/echo", data=b"raw", headers={"X-Who": "urllib"}, method="PATCH")
with urllib.request.urlopen(request, timeout=10) as answer:
    seen = json.load(answer)
    result["urllib"] = [answer.status, answer.headers.get_content_type(), seen["method"], seen["who"], seen["body"]]
try:
    urllib.request.urlopen(f"{BASE_URL}/missing")
except urllib.error.HTTPError as error:
    result["urllib error"] = [error.code, error.read().decode()]
