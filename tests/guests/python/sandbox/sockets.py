"""There are no sockets: every way to one is a `PermissionError` that names what to use instead."""

import asyncio
import ftplib
import smtplib
import socket
import ssl


async def connect():
    await asyncio.open_connection("127.0.0.1", 80)


for attempt in (
    lambda: socket.socket(),
    lambda: socket.create_connection(("127.0.0.1", 80)),
    lambda: socket.getaddrinfo("example.com", 80),
    lambda: socket.gethostbyname("localhost"),
    lambda: smtplib.SMTP("localhost"),
    lambda: ftplib.FTP("localhost"),
    lambda: ssl.create_default_context().wrap_socket(None),
    lambda: asyncio.run(connect()),
):
    try:
        print("connected", attempt())
    except OSError as error:
        print(isinstance(error, PermissionError), "hint:" in str(error))
print(socket.gethostname(), socket.inet_aton("1.2.3.4"), socket.htons(80) in (80, 20480))
