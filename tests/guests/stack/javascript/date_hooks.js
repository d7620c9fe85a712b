// A date that is made of itself. Ends in RangeError.
const date = {
  toISOString() {
    return Date.prototype.toJSON.call(date);
  },
};
Date.prototype.toJSON.call(date);
