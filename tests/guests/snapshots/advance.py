with open("/tmp/note") as file:
    note = file.read()
seen = [counter.add(), next(stream), note, sum(large), json.loads("[1]")]
with open("/tmp/note", "w") as file:
    file.write("after")
counter.changed = True
large = large[:-1] + b"\0"
seen
