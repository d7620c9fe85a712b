// A static block that makes a class with a static block.
// expect: exception RangeError

function make() {
  return class {
    static {
      make();
    }
  };
}
make();
