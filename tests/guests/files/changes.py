# Makes, writes, cuts, moves and removes, beside what was there before.
import os

for name in ("new", "gone", "moving"):
    with open(f"/output/{name}.txt", "w") as file:
        file.write(name)
os.remove("/output/gone.txt")
os.rename("/output/moving.txt", "/output/moved.txt")
os.rename("/output/old", "/output/renamed")
with open("/output/written.txt", "a") as file:
    file.write("more")
os.truncate("/output/cut.txt", 1)
os.mkdir("/output/empty")
sorted(os.listdir("/output"))
