// A getter that reads itself.
// expect: exception RangeError

const mirror = {
  get image() {
    return this.image;
  },
};
mirror.image;
