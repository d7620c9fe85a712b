"""Without a network policy every library refuses in its own words, and each error is a `PermissionError` besides."""

import asyncio
import http.client
import urllib.error
import urllib.request

import httpx
import requests

URL = "http://127.0.0.1:9/secret"


async def with_httpx():
    async with httpx.AsyncClient() as client:
        return await client.get(URL)


for name, send in {
    "http_get": lambda: http_get(URL),
    "http_post": lambda: http_post(URL, {"a": 1}),
    "http_request": lambda: http_request("DELETE", URL, headers={"X": "1"}, timeout=3),
    "requests": lambda: requests.get(URL, timeout=(1, 2)),
    "session": lambda: requests.Session().post(URL, json={}),
    "httpx": lambda: httpx.get(URL),
    "httpx async": lambda: asyncio.run(with_httpx()),
    "http.client": lambda: (lambda c: (c.request("GET", "/"), c.getresponse()))(
        http.client.HTTPConnection("127.0.0.1", 9)
    ),
}.items():
    try:
        print(name, send())
    except PermissionError as error:
        print(
            name,
            type(error).__name__,
            isinstance(error, OSError),
            isinstance(error, (requests.ConnectionError, httpx.ConnectError)),
        )
try:
    urllib.request.urlopen(URL)
except urllib.error.URLError as error:
    print("urllib", isinstance(error.reason, PermissionError))
try:
    http_get(URL)
except HttpError as error:
    print(error.kind, error.url == URL, "127.0.0.1" in str(error))
