// A number that doubles in length.
// expect: memory or exception InternalError or exception RangeError or timeout

let number = 1n << 1_000_000n;
let shift = 1_000_000n;
for (;;) {
  number <<= shift;
  shift *= 2n;
}
