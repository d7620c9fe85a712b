// A text of itself.
// expect: exception RangeError

const object = {
  toString() {
    return `${object}`;
  },
};
String(object);
