// An object that is assigned from itself.
// expect: exception RangeError

const source = {
  get field() {
    return Object.assign({}, source);
  },
};
Object.assign({}, source);
