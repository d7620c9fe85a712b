// A setter that sets itself.
// expect: exception RangeError

const mirror = {
  set image(value) {
    this.image = value;
  },
};
mirror.image = 1;
