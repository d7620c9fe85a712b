"""The packages of the image: versions, resources, time zones, what they bring."""

import zoneinfo
from importlib.metadata import PackageNotFoundError, distributions, version
from importlib.resources import files

import certifi
import charset_normalizer
import httpx
import idna
import requests
import urllib3

names = {d.metadata["Name"].lower() for d in distributions()}
print(
    sorted(names & {"requests", "httpx", "tzdata", "certifi", "idna", "urllib3"}),
    version("requests") == requests.__version__,
)
try:
    version("nothing-of-that-name")
except PackageNotFoundError as error:
    print(type(error).__name__)
print(
    "Europe/Berlin" in zoneinfo.available_timezones(),
    files("tzdata").joinpath("zones").is_file(),
    "BEGIN CERT" in certifi.contents(),
)
print(
    sorted(p.name for p in files("tzdata.zoneinfo.Arctic").iterdir()),
    idna.encode("faß.de"),
    httpx.URL("http://h/ä").raw_path,
)
print(
    charset_normalizer.from_bytes("naïve café déjà vu, garçon".encode()).best().encoding,
    urllib3.util.parse_url("http://h:1/p").port,
)
prepared = requests.Request("POST", "http://h/p?a=1", params={"b": "ü"}, json={"x": [1]}, auth=("u", "p")).prepare()
print(prepared.url, prepared.body, prepared.headers["Content-Type"], prepared.headers["Authorization"])
print(requests.codes.teapot, requests.utils.quote("a b"), requests.structures.CaseInsensitiveDict(A=1)["a"])
