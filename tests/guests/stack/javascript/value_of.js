// A number of itself. Ends in RangeError.
const object = {
  valueOf() {
    return +object;
  },
};
object + 1;
