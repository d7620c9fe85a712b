// A private method that calls itself.
// expect: exception RangeError

class Stairs {
  #down() {
    return this.#down();
  }
  start() {
    return this.#down();
  }
}
new Stairs().start();
