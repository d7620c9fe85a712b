# Arrays in files: text, binary, several in one archive; a pickle is refused unless it is asked for.
import io
import os

import numpy as np

array = np.arange(12, dtype="f4").reshape(3, 4) / 8
np.savetxt("/output/a.csv", array, delimiter=",", fmt="%.3f", header="a,b,c,d")
print(open("/output/a.csv").read())
print(np.loadtxt("/output/a.csv", delimiter=",").sum(), np.genfromtxt("/output/a.csv", delimiter=",")[1])
np.save("/output/a.npy", array)
print(np.load("/output/a.npy").dtype, np.array_equal(np.load("/output/a.npy"), array))
np.savez_compressed("/output/b.npz", first=array, second=np.array(["x", "y"]))
with np.load("/output/b.npz") as archive:
    print(sorted(archive.files), archive["second"], archive["first"].shape)
array.tofile("/output/raw.bin")
print(os.path.getsize("/output/raw.bin"), np.fromfile("/output/raw.bin", "f4")[:3], np.fromfile("/output/raw.bin", "f4", count=2, offset=8))
with open("/output/two.bin", "wb") as file:
    file.write(b"head")
    array[0].tofile(file)
    file.write(b"tail")
print(open("/output/two.bin", "rb").read()[:8], os.path.getsize("/output/two.bin"))
np.save("/output/objects.npy", np.array([{"a": 1}, None], dtype=object), allow_pickle=True)
try:
    np.load("/output/objects.npy")
except ValueError as error:
    print("ValueError:", error)
print(np.load("/output/objects.npy", allow_pickle=True))
print(np.frombuffer(b"\x01\x02\x03\x04", dtype=">u2"), np.fromstring("1 2 3", sep=" "), array.tobytes()[:4])
print(np.loadtxt(io.StringIO("1;2\n3;4"), delimiter=";", dtype=int).tolist())
for name in os.listdir("/output"):
    os.remove("/output/" + name)
