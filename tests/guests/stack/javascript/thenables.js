// A thenable that resolves to itself, again and again. Ends in RangeError or Timeout.
const again = {
  then(resolve) {
    resolve(again);
  },
};
await again;
