// A text of itself. Ends in RangeError.
const object = {
  toString() {
    return `${object}`;
  },
};
String(object);
