// A pattern that destructures what destructures.
// expect: exception RangeError

const object = {
  get inner() {
    const { inner } = object;
    return inner;
  },
};
const { inner } = object;
