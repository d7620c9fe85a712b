// Leaves a file that is long without having been written, and an ordinary one.
const fs = await import("fs");

write_file("/output/long.bin", "");
fs.truncateSync("/output/long.bin", 2 ** 40);
write_file("/output/short.bin", "short");
