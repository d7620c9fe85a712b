# Says what is there from earlier, then leaves something.
import os

earlier = sorted(os.listdir("/output")) + sorted(os.listdir("/tmp"))
for path in ("/output/left.txt", "/tmp/left.txt"):
    with open(path, "w") as file:
        file.write("left behind")
earlier
