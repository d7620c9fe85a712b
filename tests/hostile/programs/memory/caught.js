// Memory errors that are caught, again and again.
// expect: memory or exception InternalError or exception RangeError or timeout

const kept = [];
for (;;) {
  try {
    kept.push(new Uint8Array(1_000_000));
  } catch {
    kept.push(1);
  }
}
