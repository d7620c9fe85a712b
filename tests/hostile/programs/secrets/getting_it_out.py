# Asks a server to send the secret back in every part of a response.
# expect: contained

PATHS = [
    "/echo",
    "/spelled",
    "/reflect-header",
    "/reflect-redirect",
    "/reflect-nowhere",
    "/reflect-denied",
    "/reflect-cut",
    "/reflect-broken",
]
replies = {}
for path in PATHS:
    try:
        response = http_get(f"{OPEN}{path}", headers={"Authorization": "Bearer mine"})
        replies[path] = repr([response["url"], dict(response["headers"]), response["text"], bytes(str(response["body"]), "utf-8")])
    except Exception as error:
        replies[path] = repr([error, str(error), error.__cause__, error.__context__])
print(replies)
with open("/output/replies.txt", "w") as file:
    file.write(repr(replies))

# Not even how it begins.
needle = "hunt" + "er"
found = [path for path, text in replies.items() if needle in text]
# It was there to be found: the server was sent something in place of what this program sent.
missed = [path for path in ["/echo", "/spelled", "/reflect-header", "/reflect-redirect"] if "[redacted]" not in replies[path]]
result = "contained" if not found and not missed and "mine" not in replies["/echo"] else [found, missed]
