// A getter that reads itself. Ends in RangeError.
const mirror = {
  get image() {
    return this.image;
  },
};
mirror.image;
