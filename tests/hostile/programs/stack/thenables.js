// A thenable that resolves to itself, again and again.
// expect: exception RangeError or timeout

const again = {
  then(resolve) {
    resolve(again);
  },
};
await again;
