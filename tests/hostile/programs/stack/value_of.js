// A number of itself.
// expect: exception RangeError

const object = {
  valueOf() {
    return +object;
  },
};
object + 1;
