# Sockets, without the capability for requests.
# expect: contained

import socket

opened = []
for family in (socket.AF_INET, socket.AF_INET6, getattr(socket, "AF_UNIX", 1)):
    try:
        connection = socket.socket(family)
        connection.settimeout(0.2)
        connection.connect(("127.0.0.1", CLOSED_PORT) if family != getattr(socket, "AF_UNIX", 1) else "/var/run/docker.sock")
        opened.append(str(family))
    except BaseException:
        pass
try:
    opened.append(socket.gethostbyname("localhost"))
except BaseException:
    pass
result = "contained" if not [name for name in opened if name not in ("127.0.0.1",)] else opened
