// A separator that splits. Ends in RangeError.
const separator = {
  [Symbol.split]: (text) => text.split(separator),
};
"text".split(separator);
