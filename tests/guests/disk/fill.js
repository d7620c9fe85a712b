// Writes until the disk is full, says so, and goes on.
const fs = await import("fs");

const piece = "x".repeat(65536);
result = "there was room for everything";
try {
  write_file("/output/full.bin", "");
  for (let written = 0; written < 64 << 20; written += piece.length) fs.appendFileSync("/output/full.bin", piece);
} catch (error) {
  result = error.code;
}
console.log("still here");
