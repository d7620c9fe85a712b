// An array that is spread by concatenation.
// expect: exception RangeError

const list = {
  length: 1,
  get [Symbol.isConcatSpreadable]() {
    return [].concat(list);
  },
};
[].concat(list);
