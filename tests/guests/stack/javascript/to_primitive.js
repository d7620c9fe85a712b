// A primitive of itself. Ends in RangeError.
const object = {
  [Symbol.toPrimitive]() {
    return object * 2;
  },
};
object < 1;
