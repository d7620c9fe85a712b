// A primitive of itself.
// expect: exception RangeError

const object = {
  [Symbol.toPrimitive]() {
    return object * 2;
  },
};
object < 1;
