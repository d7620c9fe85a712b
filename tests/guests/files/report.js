const fs = await import("fs");

const notes = read_file("/input/notes.txt");
const lines = notes.trimEnd().split("\n");
const longest = lines.reduce((a, b) => (b.length > a.length ? b : a));
write_file("/output/report.txt", `${lines.length} notes, the longest: ${longest}\n`);

fs.mkdirSync("/output/a");
const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
write_file("/output/a/b.bin", new Uint8Array([...bytes, 0xff, 0xfe, 0x00, 0x80]));
