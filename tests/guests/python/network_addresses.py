"""`ipaddress`, `uuid`, `mimetypes`, `http` constants and cookies."""

import http
import ipaddress
import mimetypes
import uuid
from http.cookies import SimpleCookie

net = ipaddress.ip_network("192.168.0.0/29")
print(
    net.num_addresses,
    [str(h) for h in net.hosts()],
    ipaddress.ip_address("192.168.0.3") in net,
    net.netmask,
    net.broadcast_address,
)
print(
    ipaddress.ip_address("::1").is_loopback,
    ipaddress.ip_address("10.1.2.3").is_private,
    ipaddress.ip_address("2001:db8::1").exploded,
)
print(
    [str(n) for n in net.subnets(new_prefix=31)],
    ipaddress.ip_network("10.0.0.0/8").supernet_of(ipaddress.ip_network("10.2.0.0/16")),
)
for bad in ("300.1.1.1", "1.2.3", "192.168.0.1/24"):
    try:
        ipaddress.ip_network(bad)
    except ValueError as error:
        print("ValueError")
fixed = uuid.uuid5(uuid.NAMESPACE_DNS, "example.com")
print(
    fixed,
    fixed.version,
    uuid.uuid3(uuid.NAMESPACE_URL, "http://x"),
    uuid.UUID(int=5),
    uuid.uuid4() != uuid.uuid4(),
    uuid.uuid4().version,
)
print(mimetypes.guess_type("a.json")[0], mimetypes.guess_type("b.tar.gz"), mimetypes.guess_extension("text/html"))
print(http.HTTPStatus(404).phrase, http.HTTPStatus.OK == 200, http.HTTPMethod.GET.value)
cookie = SimpleCookie("a=1; b=two")
cookie["a"]["path"] = "/"
print(cookie["b"].value, cookie.output(header="Set-Cookie:").splitlines())
