// A separator that splits.
// expect: exception RangeError

const separator = {
  [Symbol.split]: (text) => text.split(separator),
};
"text".split(separator);
