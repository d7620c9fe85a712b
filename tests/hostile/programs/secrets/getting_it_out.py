# Asks a server to send the secret back in every part of a response.
# expect: contained

PATHS = [
    "/echo",
    "/spelled",
    "/tell-header",
    "/tell-redirect",
    "/tell-nowhere",
    "/tell-denied",
    "/tell-cut",
    "/tell-broken",
]
told = {}
for path in PATHS:
    try:
        response = http_get(f"{OPEN}{path}", headers={"Authorization": "Bearer mine"})
        told[path] = repr([response["url"], dict(response["headers"]), response["text"], bytes(str(response["body"]), "utf-8")])
    except Exception as error:
        told[path] = repr([error, str(error), error.__cause__, error.__context__])
print(told)
with open("/output/told.txt", "w") as file:
    file.write(repr(told))

# Not even how it begins.
needle = "hunt" + "er"
found = [path for path, text in told.items() if needle in text]
# It was there to be found: the server was sent something in place of what this program sent.
missed = [path for path in ["/echo", "/spelled", "/tell-header", "/tell-redirect"] if "[redacted]" not in told[path]]
result = "contained" if not found and not missed and "mine" not in told["/echo"] else [found, missed]
