// An array that is spread by concatenation. Ends in RangeError.
const list = {
  length: 1,
  get [Symbol.isConcatSpreadable]() {
    return [].concat(list);
  },
};
[].concat(list);
