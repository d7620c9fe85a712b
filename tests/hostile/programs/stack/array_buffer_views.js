// Views that are made while they are made.
// expect: exception RangeError

const source = {
  get length() {
    return Uint8Array.from(source).length;
  },
};
Uint8Array.from(source);
