# Does what a check allows, what it denies and what it requires approval for.
import os


def message(call):
    try:
        return call()
    except Exception as error:
        return str(error)


sent = message(lambda: call_tool("mail.send", to="x"))
boss = message(lambda: call_tool("mail.send", to="boss"))
chance = message(lambda: http_get(f"{BASE_URL}/breweries/random"))
notes = open("/data/notes.txt").read()
try:
    os.remove("/data/notes.txt")
    refused = False
except PermissionError:
    refused = True
result = [sent, boss, chance, notes, refused]
