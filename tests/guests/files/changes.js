// Makes, writes, cuts, moves and removes, beside what was there before.
const fs = await import("fs");

for (const name of ["new", "gone", "moving"]) write_file(`/output/${name}.txt`, name);
fs.unlinkSync("/output/gone.txt");
fs.renameSync("/output/moving.txt", "/output/moved.txt");
fs.renameSync("/output/old", "/output/renamed");
fs.appendFileSync("/output/written.txt", "more");
fs.truncateSync("/output/cut.txt", 1);
fs.mkdirSync("/output/empty");
fs.readdirSync("/output").sort();
