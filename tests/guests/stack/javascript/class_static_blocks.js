// A static block that makes a class with a static block. Ends in RangeError.
function make() {
  return class {
    static {
      make();
    }
  };
}
make();
