# Well-formed messages to the host, past every library, for what was not given.
# expect: contained

from wit_world.imports import host


def text(value):
    data = value.encode()
    length = bytearray()
    size = len(data)
    while size > 0x7F:
        length.append(size & 0x7F | 0x80)
        size >>= 7
    length.append(size)
    return bytes(length) + data


got = []


def ask(what, message):
    reply = host.call(message)
    # 0 is what was asked for, 1 an error.
    if reply[:1] != b"\x01":
        got.append((what, bytes(reply[:60])))


# What was given shows that the messages are what they should be.
assert host.call(b"\x02\x01" + text("/input/notes.txt") + b"\x00\x40") == b"\x00" + text("notes")
for path in (
    "/etc/passwd",
    "/input/../secret.txt",
    "/input/link_to_etc/passwd",
    "/input/absolute",
    "/input/relative",
    "/input/chain",
    "/input/folder/up/secret.txt",
    "/input/pipe",
    "../../secret.txt",
    "",
):
    ask(f"read {path}", b"\x02\x01" + text(path) + b"\x00\x40")
    ask(f"write {path}", b"\x02\x02" + text(path) + b"\x00" + text("x"))
ask("write /input/notes.txt", b"\x02\x02" + text("/input/notes.txt") + b"\x00" + text("you should not be here"))
ask("an unknown tool", b"\x00\x00" + text("no such tool") + b"\x00" + text("{}") + b"\x01")
ask("a tool of an empty name", b"\x00\x00" + text("") + b"\x00" + text("{}") + b"\x01")
ask("arguments that are none", b"\x00\x00" + text("echo") + b"\x00" + text("[") + b"\x01")
url = f"http://127.0.0.1:{CLOSED_PORT}/"
ask("a request", b"\x01" + text("GET") + text(url) + b"\x00" + b"\x00\x00" + b"\x00" + b"\x05" + b"\x01")
ask("an unknown interface", b"\x06\x00" + text("a:b/c") + text("d") + b"\x00\x00" + b"\x01")
result = got or "contained"
