// A pattern that destructures what destructures. Ends in RangeError.
const object = {
  get inner() {
    const { inner } = object;
    return inner;
  },
};
const { inner } = object;
