// An object that is assigned from itself. Ends in RangeError.
const source = {
  get field() {
    return Object.assign({}, source);
  },
};
Object.assign({}, source);
