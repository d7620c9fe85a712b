// A key that is made of itself.
// expect: exception RangeError

const key = {
  toString() {
    return { [key]: 1 };
  },
};
({})[key];
