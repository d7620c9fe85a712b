// Iterating iterates. Ends in RangeError.
const wheel = {
  [Symbol.iterator]() {
    return [...wheel][Symbol.iterator]();
  },
};
[...wheel];
