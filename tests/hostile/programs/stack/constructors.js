// A constructor that constructs.
// expect: exception RangeError

class Doll {
  constructor() {
    this.inner = new Doll();
  }
}
new Doll();
