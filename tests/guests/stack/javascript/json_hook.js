// A value that is JSON of itself. Ends in RangeError.
const object = {
  toJSON() {
    return JSON.stringify(object);
  },
};
JSON.stringify(object);
