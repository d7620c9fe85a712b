// A file in memory that grows.
// expect: memory or exception InternalError or exception RangeError or timeout or exception Error

const fs = await import('fs');
for (;;) fs.appendFileSync('/tmp/kept', new Uint8Array(1_000_000));
