// Says what is there from earlier, then leaves something.
const fs = await import("fs");

var earlier = [...fs.readdirSync("/output").sort(), ...fs.readdirSync("/tmp").sort()];
for (const path of ["/output/left.txt", "/tmp/left.txt"]) write_file(path, "left behind");
earlier;
