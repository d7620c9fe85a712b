"""`urllib.parse`."""

from urllib.parse import (
    parse_qs,
    parse_qsl,
    quote,
    quote_plus,
    unquote,
    unquote_plus,
    urlencode,
    urljoin,
    urlparse,
    urlsplit,
    urlunsplit,
)

parts = urlsplit("https://user:pw@example.com:8443/a%20b/c;p?q=1&q=2&empty=#frag")
print(parts.scheme, parts.hostname, parts.port, parts.username, parts.path, parts.query, parts.fragment, parts.netloc)
print(parse_qs(parts.query), parse_qsl(parts.query, keep_blank_values=True), urlparse("http://h/p;x").params)
print(
    urlencode({"a b": "ü&", "l": [1, 2]}, doseq=True),
    quote("/a b/é?"),
    quote("a/b", safe=""),
    quote_plus("a b+c"),
    unquote("%C3%A9%20"),
    unquote_plus("a+b"),
)
for base, link in (
    ("http://h/a/b", "c"),
    ("http://h/a/b", "/c"),
    ("http://h/a/b/", "../c"),
    ("http://h/a", "//other/x"),
    ("http://h/a", "?q=1"),
):
    print(urljoin(base, link), end=" ")
print(urlunsplit(("https", "h", "/p", "q=1", "")))
try:
    urlsplit("http://[bad")
except ValueError as error:
    print("ValueError")
try:
    urlsplit("http://h:99999/").port
except ValueError as error:
    print("port")
