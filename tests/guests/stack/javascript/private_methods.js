// A private method that calls itself. Ends in RangeError.
class Stairs {
  #down() {
    return this.#down();
  }
  start() {
    return this.#down();
  }
}
new Stairs().start();
