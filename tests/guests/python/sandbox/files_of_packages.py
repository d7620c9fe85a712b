# Packages find the files beside their modules, by path.
import glob
import importlib.resources
import os
import pathlib
import shutil

import certifi

path = certifi.where()
folder = pathlib.Path(certifi.__file__).parent
print(path, folder, os.path.isfile(path), folder.is_dir(), os.path.exists("/packages"), os.path.exists("/packages/none"))
with open(path) as text, open(path, "rb") as data:
    lines = text.readlines()
    print(len(lines) > 1000, lines[1][:27], data.name, data.read(5), data.seek(0, 2) == os.stat(path).st_size, text.encoding)
print(pathlib.Path(path).read_text() == importlib.resources.read_text("certifi", "cacert.pem") == "".join(lines))
print("cacert.pem" in os.listdir(folder), [entry.name for entry in os.scandir(folder) if entry.is_file()], glob.glob("/packages/certifi/*.pem"))
names = sorted(os.listdir("/packages/tzdata/zoneinfo"))
print(names[:3], [name for name, _, _ in os.walk("/packages/tzdata/zoneinfo/Etc")], os.path.getsize("/packages/tzdata/zoneinfo/UTC"))
print(os.access(path, os.R_OK), os.access(path, os.W_OK), os.access("/packages/none", os.R_OK), oct(os.stat(path).st_mode), oct(os.lstat(folder).st_mode))
os.makedirs("/output/copied")
print(shutil.copyfile(path, "/output/copied/cacert.pem"), os.path.getsize("/output/copied/cacert.pem") == os.path.getsize(path))
for attempt in (
    lambda: open(path, "w"),
    lambda: open(path, "r+b"),
    lambda: open(path, "a"),
    lambda: open("/packages/certifi/none.pem"),
    lambda: open("/packages/certifi"),
    lambda: open("/packages/../packages/certifi/cacert.pem").readline()[:3],
    lambda: open("/packagesx/certifi/cacert.pem"),
    lambda: open(path, "rb").write(b"x"),
    lambda: os.listdir("/packages/none"),
    lambda: os.listdir(path),
    lambda: os.scandir("/packages/none"),
    lambda: os.stat("/packages/certifi/none"),
    lambda: os.stat(b"/packages/certifi/cacert.pem").st_size == os.stat(path).st_size,
    lambda: os.listdir(b"/packages/certifi") == [os.fsencode(name) for name in os.listdir(folder)],
    lambda: os.remove(path),
    lambda: os.mkdir("/packages/certifi/new"),
):
    try:
        print(attempt())
    except OSError as error:
        print(type(error).__name__, error.strerror, error.filename)
