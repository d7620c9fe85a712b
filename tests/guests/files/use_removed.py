file.seek(0)
before = file.read()
file.write(" and more")
file.seek(0)
[before, file.read()]
