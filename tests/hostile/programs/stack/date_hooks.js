// A date that is made of itself.
// expect: exception RangeError

const date = {
  toISOString() {
    return Date.prototype.toJSON.call(date);
  },
};
Date.prototype.toJSON.call(date);
