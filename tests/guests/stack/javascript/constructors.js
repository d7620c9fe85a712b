// A constructor that constructs. Ends in RangeError.
class Doll {
  constructor() {
    this.inner = new Doll();
  }
}
new Doll();
