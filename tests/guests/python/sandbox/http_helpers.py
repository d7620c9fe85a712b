"""What `http_get` and its like make of wrong arguments, before anything is sent."""

for call in (
    lambda: http_post("http://h/", body=5),
    lambda: http_request("GET", "http://h/", body=object()),
):
    try:
        call()
    except TypeError as error:
        print(error)
print(http_get.__doc__.splitlines()[0], requests.get.__module__, repr(requests).startswith("<module 'requests'"))
from isolette.bodies import JsonDict, JsonList
import json

body = JsonDict(a=[1])
print(
    json.loads(body) is body,
    json.dumps(body),
    isinstance(body, dict),
    body == {"a": [1]},
    json.loads(JsonList([1])),
    json.loads("[2]"),
)
from isolette.headers import Headers

headers = Headers([("Content-Type", "text/plain"), ("Set-Cookie", "a=1"), ("set-cookie", "b=2")])
print(
    headers["content-type"],
    headers.get("SET-COOKIE"),
    headers.get_all("Set-Cookie"),
    "x" in headers,
    dict(headers),
    headers.get("x", 0),
)
