// A setter that sets itself. Ends in RangeError.
const mirror = {
  set image(value) {
    this.image = value;
  },
};
mirror.image = 1;
