// An object whose printed form prints it.
// expect: exception RangeError or value

const object = {
  [Symbol.for("nodejs.util.inspect.custom")]() {
    console.log(object);
    return "object";
  },
};
console.log(object);
