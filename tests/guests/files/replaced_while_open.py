import os

found = {}
for place in ("/plain", "/own", "/tmp"):
    os.chdir(place)
    if not os.path.exists("data"):
        with open("data", "w") as file:
            file.write("old")
    reader, writer = open("data", "rb", buffering=0), open("data", "a+")
    with open("data.new", "w") as file:
        file.write("new")
    os.replace("data.new", "data")
    writer.write(", added")
    writer.flush()
    status = os.fstat(writer.fileno())
    writer.seek(0)
    found[place] = [reader.read().decode(), status.st_size, status.st_nlink, writer.read(), open("data").read()]
found
