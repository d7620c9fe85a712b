# Sees the state after the set-up, and changes it.
before = [square(12), len(table), open("/tmp/note").read(), json.loads("[1]"), "leftover" in globals()]
table.clear()
leftover = True
with open("/tmp/note", "w") as file:
    file.write("changed")
before
