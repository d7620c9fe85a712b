# The names of headers, as the server and the program spell them.
import http.client
import json
import urllib.parse
import urllib.request

import httpx
import requests

URL = f"{BASE_URL}/names"
result = {}

got = http_get(URL)["headers"]
result["http_get"] = [dict(got), got["content-type"], got.get("CONTENT-TYPE"), "etag" in got, got.get_all("SET-COOKIE"), json.loads(json.dumps(got)) == dict(got)]
answer = requests.get(URL)
result["requests"] = [dict(answer.headers), answer.headers["content-type"], answer.raw.headers.getlist("set-cookie"), sorted(answer.cookies.items())]
answer = httpx.get(URL)
result["httpx"] = [[name.decode() for name, _ in answer.headers.raw], answer.headers["CONTENT-type"], answer.headers.get_list("set-cookie")]
with urllib.request.urlopen(URL) as answer:
    result["urllib"] = [answer.headers.items(), answer.headers["content-TYPE"], answer.headers.get_all("set-cookie")]
connection = http.client.HTTPConnection(urllib.parse.urlsplit(BASE_URL).netloc)
connection.request("GET", "/names")
result["http.client"] = connection.getresponse().getheaders()

HEADERS = {"X-API-Key": "1", "x-lower": "2", "X_Under": "3", "content-TYPE": "text/plain"}


def sent(headers):
    """What the program has named, in its order."""
    names = [name for name, _ in headers]
    return [name for name in names if name.lower() in {name.lower() for name in HEADERS}]


ECHO = f"{BASE_URL}/echo"
result["sent"] = {
    "http_post": sent(http_post(ECHO, "x", headers=HEADERS)["json"]["headers"]),
    "requests": sent(requests.post(ECHO, headers=HEADERS, data="x").json()["headers"]),
    "httpx": sent(httpx.post(ECHO, headers=HEADERS, content="x").json()["headers"]),
    "urllib": sent(json.load(urllib.request.urlopen(urllib.request.Request(ECHO, headers=HEADERS, data=b"x")))["headers"]),
}
connection = http.client.HTTPConnection(urllib.parse.urlsplit(BASE_URL).netloc)
connection.request("POST", "/echo", headers=HEADERS, body=b"x")
result["sent"]["http.client"] = sent(json.load(connection.getresponse())["headers"])
repeated = httpx.get(ECHO, headers=[("X-A", "1"), ("x-a", "2"), ("X-B", "3")]).json()["headers"]
result["repeated"] = [pair for pair in repeated if pair[0].lower() in ("x-a", "x-b")]
result["usual"] = [name for name, _ in requests.get(ECHO).json()["headers"] if name.lower() in ("host", "user-agent")]
