// A method that calls itself through a class.
// expect: exception RangeError

class Stairs {
  down() {
    return this.down();
  }
}
new Stairs().down();
