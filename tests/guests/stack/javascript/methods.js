// A method that calls itself through a class. Ends in RangeError.
class Stairs {
  down() {
    return this.down();
  }
}
new Stairs().down();
