// Takes memory in pieces until there is none, and hides from the exception.
const hoard = [];
console.log("before the hoard");
for (;;) {
  try {
    for (;;) hoard.push(new Uint8Array(1 << 20).fill(1));
  } catch {
    hoard.push([]);
  }
}
