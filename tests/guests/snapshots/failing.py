import nturl2path
counter.add()
left_behind = 1
with open("/tmp/note", "w") as file:
    file.write("spoilt")
raise ValueError("no")
