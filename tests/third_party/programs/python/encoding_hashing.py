import base64
import binascii
import gzip
import hashlib
import hmac
import html
import pickle
import secrets
import struct
import urllib.parse as up
import uuid
import zlib
import io
import configparser
import xml.etree.ElementTree as ET

print(hashlib.sha256(b"abc").hexdigest(), hashlib.md5(b"").hexdigest(), hashlib.blake2b(b"x", digest_size=8).hexdigest(), hmac.new(b"k", b"m", "sha1").hexdigest(), hashlib.pbkdf2_hmac("sha256", b"p", b"s", 10).hex()[:16], hashlib.sha3_224(b"").hexdigest()[:8], hashlib.new("sha512", b"a").hexdigest()[:8], hashlib.shake_128(b"").hexdigest(4))
print(base64.b64encode(b"\xff\x00hi"), base64.urlsafe_b64decode("_wBoaQ=="), base64.b32encode(b"hi"), base64.b85encode(b"hello"), binascii.crc32(b"hello"), zlib.adler32(b"x"), zlib.decompress(zlib.compress(b"a" * 1000)) == b"a" * 1000, gzip.decompress(gzip.compress(b"gz")), binascii.hexlify(b"\x01\xff"))
print(struct.pack(">IhB", 1, -2, 3), struct.unpack("<d", struct.pack("<d", 1.5)), struct.calcsize("iqb"), struct.unpack("3s?", b"abc\x01"), list(struct.iter_unpack("<H", b"\x01\x00\x02\x00")))
print(up.urlparse("https://u:p@host:80/p/a;x?q=1&r=a%20b#frag"), up.parse_qs("a=1&a=2&b="), up.urlencode({"q": "a b&c", "l": [1, 2]}, doseq=True), up.quote("é/ ?"), up.unquote_plus("a+b%21"), up.urljoin("http://x/a/b", "../c"))
print(html.escape("<a href='x'>&</a>"), html.unescape("&lt;&eacute;&#8364;"), uuid.uuid5(uuid.NAMESPACE_DNS, "python.org"), uuid.UUID(int=5), len(secrets.token_hex(8)), pickle.loads(pickle.dumps({"a": [1, (2, 3)], "s": {4}})))
tree = ET.fromstring("<root a='1'><item id='x'>text &amp; more</item><item/><!-- c --></root>")
print([(e.tag, e.attrib, e.text) for e in tree.iter()], tree.find("item[@id='x']").text, ET.tostring(tree, encoding="unicode"))
ET.SubElement(tree, "new", {"k": "v"}).tail = "t"; ET.indent(tree); print(ET.tostring(tree).decode())
c = configparser.ConfigParser(); c.read_string("[s]\na = 1\nb = %(a)s2\n[t]\nflag = yes\n"); print(c["s"]["b"], c.getboolean("t", "flag"), c.sections(), c.get("s", "z", fallback="none"))
import argparse
p = argparse.ArgumentParser(prog="x"); p.add_argument("name"); p.add_argument("-n", "--number", type=int, default=3); p.add_argument("--flag", action="store_true"); print(p.parse_args(["bob", "-n", "5", "--flag"]))
import logging; h = logging.StreamHandler(out := io.StringIO()); h.setFormatter(logging.Formatter("%(levelname)s:%(name)s:%(message)s")); log = logging.getLogger("app"); log.addHandler(h); log.setLevel(logging.INFO); log.info("hi %s", 1); log.debug("no"); log.error("bad"); print(out.getvalue().split("\n"))
import difflib, pprint, operator, types, inspect, shlex, fnmatch, ipaddress, time, contextvars, weakref, array, queue, sched, copy, glob, locale, gettext, getopt, tomllib
print(difflib.get_close_matches("appel", ["ape", "apple", "peach"]), list(difflib.unified_diff(["a", "b"], ["a", "c"], lineterm=""))[2:], shlex.split("a 'b c' d\\ e"), fnmatch.filter(["a.py", "b.txt"], "*.py"), ipaddress.ip_network("10.0.0.0/30").num_addresses, [str(h) for h in ipaddress.ip_network("10.0.0.0/30").hosts()], tomllib.loads("a = 1\n[b]\nc = [1.5, 'x']"), array.array("i", [1, 2]).tobytes(), pprint.pformat({"k" * 30: list(range(30))}, width=50), str(inspect.signature(lambda a, *b, c=1, **d: 0)))
