// Views that are made while they are made. Ends in RangeError.
const source = {
  get length() {
    return Uint8Array.from(source).length;
  },
};
Uint8Array.from(source);
