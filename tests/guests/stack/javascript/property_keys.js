// A key that is made of itself. Ends in RangeError.
const key = {
  toString() {
    return { [key]: 1 };
  },
};
({})[key];
