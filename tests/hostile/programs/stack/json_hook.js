// A value that is JSON of itself.
// expect: exception RangeError

const object = {
  toJSON() {
    return JSON.stringify(object);
  },
};
JSON.stringify(object);
