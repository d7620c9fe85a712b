// Iterating iterates.
// expect: exception RangeError

const wheel = {
  [Symbol.iterator]() {
    return [...wheel][Symbol.iterator]();
  },
};
[...wheel];
