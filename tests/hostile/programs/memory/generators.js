// Frames that are never finished.
// expect: memory or exception InternalError or exception RangeError or timeout

function* waiting() {
  yield new Uint8Array(100_000);
}
const kept = [];
for (;;) {
  const generator = waiting();
  generator.next();
  kept.push(generator, new Uint8Array(100_000));
}
