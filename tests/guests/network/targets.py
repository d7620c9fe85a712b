# What servers see of URLs. Beside each is what the same libraries send from a computer.
import http.client
import json
import urllib.parse
import urllib.request

import httpx
import requests

NETLOC = urllib.parse.urlsplit(BASE_URL).netloc


def by_http_client(target):
    connection = http.client.HTTPConnection(NETLOC)
    connection.request("GET", target)
    return json.load(connection.getresponse())


WAYS = {
    "requests": lambda target: requests.get(BASE_URL + target).json(),
    "httpx": lambda target: httpx.get(BASE_URL + target).json(),
    "urllib": lambda target: json.load(urllib.request.urlopen(BASE_URL + target)),
    "http.client": by_http_client,
    "http_get": lambda target: http_get(BASE_URL + target)["json"],
}


def seen(way, target):
    try:
        return WAYS[way](target)["target"]
    except Exception as error:
        return type(error).__name__


result = {target: {way: seen(way, target) for way in WAYS} for target in TARGETS}
