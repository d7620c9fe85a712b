# Bodies read piece by piece, as from a connection.
import asyncio
import http.client
import io
import shutil
import urllib.parse
import urllib.request

import httpx
import requests

BIG, TEXT = f"{BASE_URL}/big", f"{BASE_URL}/text"


def kind(read):
    try:
        return read()
    except Exception as error:
        return type(error).__name__


def stream(url, read):
    with httpx.stream("GET", url) as answer:
        return read(answer)


def lengths(pieces):
    return [len(piece) for piece in pieces]


result = {
    "httpx": {
        "iter_raw": stream(BIG, lambda r: [len(b"".join(r.iter_raw())), r.is_closed, r.is_stream_consumed, r.num_bytes_downloaded]),
        "iter_raw by size": stream(BIG, lambda r: lengths(r.iter_raw(100_000))),
        "iter_bytes by size": stream(BIG, lambda r: lengths(r.iter_bytes(100_000))),
        "iter_text": stream(TEXT, lambda r: "".join(r.iter_text())),
        "iter_lines": stream(TEXT, lambda r: list(r.iter_lines())),
        "read": stream(TEXT, lambda r: [r.is_closed, len(r.read()), r.is_closed, r.text[-3:], r.num_bytes_downloaded]),
        "content before read": kind(lambda: stream(TEXT, lambda r: r.content)),
        "twice": kind(lambda: stream(TEXT, lambda r: [list(r.iter_bytes()), list(r.iter_bytes())])),
        "read after iteration": kind(lambda: stream(TEXT, lambda r: [list(r.iter_raw()), r.read()])),
        "after the end": kind(lambda: stream(TEXT, lambda r: r).read()),
        "raw of a complete one": kind(lambda: list(httpx.get(TEXT).iter_raw())),
        "iter_bytes of a complete one": lengths(httpx.get(TEXT).iter_bytes(10)),
        "length": httpx.get(BIG).headers["Content-Length"],
    }
}


async def asynchronous():
    found = []
    async with httpx.AsyncClient() as client:
        async with client.stream("GET", TEXT) as r:
            found.append([len(b"".join([piece async for piece in r.aiter_raw()])), r.is_closed, r.num_bytes_downloaded])
        async with client.stream("GET", TEXT) as r:
            found.append([line async for line in r.aiter_lines()])
        async with client.stream("GET", TEXT) as r:
            found.append("".join([text async for text in r.aiter_text()]))
        async with client.stream("GET", TEXT) as r:
            found.append([len(await r.aread()), r.is_closed])
        async with client.stream("GET", BIG) as r:
            found.append([len(piece) async for piece in r.aiter_bytes(100_000)])
            try:
                await r.aread()
            except httpx.StreamConsumed as error:
                found.append(type(error).__name__)
    return found


result["httpx asynchronously"] = asyncio.run(asynchronous())


def get(url):
    return requests.get(url, stream=True)


def copied(answer):
    target = io.BytesIO()
    shutil.copyfileobj(answer.raw, target)
    return len(target.getvalue())


with get(BIG) as part:
    part.raw.read(3)
result["requests"] = {
    "iter_content": lengths(get(BIG).iter_content(100_000)),
    "iter_content by byte": len(list(get(TEXT).iter_content())),
    "iter_lines": list(get(TEXT).iter_lines(decode_unicode=True)),
    "raw.read": (lambda r: [len(r.raw.read(10)), r.raw.tell(), len(r.raw.read()), len(r.raw.read()), r.raw.closed])(get(BIG)),
    "raw.stream": lengths(get(BIG).raw.stream(100_000)),
    "raw.readinto": get(BIG).raw.readinto(bytearray(5)),
    "raw by line": len(list(get(TEXT).raw)),
    "content after a part": (lambda r: [len(next(r.iter_content(5))), len(r.content)])(get(BIG)),
    "content after all": kind(lambda: (lambda r: [list(r.iter_content(100_000)), r.content])(get(BIG))),
    "closed": part.raw.closed,
    "copied": copied(get(BIG)),
}


def opened(url):
    return urllib.request.urlopen(url)


def one_after_the_other():
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(BASE_URL).netloc)
    for path in ("/text", "/big", "/none", "/text"):
        connection.request("GET", path)
        answer = connection.getresponse()
        yield [answer.status, len(answer.read())]


result["urllib"] = {
    "read": (lambda r: lengths([r.read(5), r.read(0), r.read(), r.read()]) + [r.closed, r.isclosed()])(opened(BIG)),
    "readline": (lambda r: lengths([r.readline(), r.readline(), *r.readlines(), r.readline()]))(opened(TEXT)),
    "lines": lengths(opened(TEXT)),
    "readinto": opened(BIG).readinto(bytearray(5)),
    "read1 and peek": (lambda r: [len(r.read1(5)), list(r.peek(3)[:3])])(opened(BIG)),
    "as text": list(io.TextIOWrapper(opened(TEXT), encoding="utf-8")),
    "length": opened(BIG).length,
    "without a length": opened(TEXT).headers["Content-Length"],
    "one after the other": list(one_after_the_other()),
}
